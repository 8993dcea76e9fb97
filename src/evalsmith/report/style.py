"""The look of pages and charts: colours as CSS variables for a light and a dark scheme, and the style sheet.

Charts paint with `colour(name)`, which is the variable of the page and, for a chart on its own,
the colour of the light scheme. The colours of series keep apart for all common kinds of colour blindness.
"""

from __future__ import annotations

LIGHT = {
    "paper": "#ffffff",
    "raised": "#f5f6f8",
    "ink": "#1d2126",
    "muted": "#5b6470",
    "rule": "#d9dde3",
    "link": "#0b62a4",
    "series-1": "#0072b2",
    "series-2": "#d55e00",
    "series-3": "#009e73",
    "series-4": "#b5508c",
    "series-5": "#c98a00",
    "series-6": "#4aa3d9",
    "series-7": "#6b7280",
    "above": "#b2402b",
    "below": "#2467a8",
    "on-strong": "#ffffff",
    "good": "#0f7a4d",
    "good-paper": "#e5f5ec",
    "open": "#8a5a00",
    "open-paper": "#fdf3dc",
    "bad": "#b3261e",
    "bad-paper": "#fdeae8",
    "won": "178 64 43",
    "lost": "36 103 168",
}
DARK = {
    "paper": "#14171b",
    "raised": "#1d2127",
    "ink": "#e6e9ed",
    "muted": "#9aa4b1",
    "rule": "#343b45",
    "link": "#74b9f2",
    "series-1": "#4aa8e8",
    "series-2": "#f08a4b",
    "series-3": "#2dbf94",
    "series-4": "#de8fbd",
    "series-5": "#ecc04a",
    "series-6": "#a5d8f5",
    "series-7": "#a3acb8",
    "above": "#e06a4f",
    "below": "#4c9be0",
    "on-strong": "#0d0f12",
    "good": "#5fd39b",
    "good-paper": "#12291f",
    "open": "#edc25c",
    "open-paper": "#2b2412",
    "bad": "#ff8f85",
    "bad-paper": "#331a18",
    "won": "224 106 79",
    "lost": "76 155 224",
}
SERIES = 7


def colour(name: str) -> str:
    """A colour of the scheme in force, by its name in `LIGHT`."""
    return f"var(--{name}, {LIGHT[name]})"


def series_colour(index: int) -> str:
    """The colour of a series; they come round after `SERIES`."""
    return colour(f"series-{index % SERIES + 1}")


def series_dash(index: int) -> str | None:
    """The dashes of a line whose colour another one before it has already."""
    return (None, "7 4", "2 4", "9 4 2 4")[index // SERIES % 4]


def _variables(scheme: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in scheme.items())


# The dark scheme is for screens alone: what is printed is always on white paper.
STYLE_SHEET = (
    f":root{{color-scheme:light dark;{_variables(LIGHT)}}}\n"
    f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}\n"
    """\
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);overflow-wrap:break-word;
 font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
main,header,footer{max-width:1120px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .25rem}
h2{font-size:1.3rem;line-height:1.3;margin:2.4rem 0 .7rem;padding-bottom:.3rem;border-bottom:1px solid var(--rule)}
h3{font-size:1.08rem;margin:1.7rem 0 .5rem}
p{max-width:46em;margin:.6rem 0}
a{color:var(--link)}
h2 a,h3 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover{text-decoration:underline}
.subtitle,footer{color:var(--muted)}
.subtitle{margin:0}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;list-style:none;margin:1rem 0 0;padding:0;font-size:.94rem}
.verdict{border-left:6px solid;border-radius:6px;padding:.8rem 1.1rem;margin:1.2rem 0;font-size:1.1rem;max-width:none}
.verdict strong{display:block;font-size:.8rem;letter-spacing:.06em;text-transform:uppercase}
.verdict span{color:var(--ink)}
.stronger{color:var(--good);background:var(--good-paper)}
.not-proven{color:var(--open);background:var(--open-paper)}
.weaker{color:var(--bad);background:var(--bad-paper)}
.facts{display:flex;flex-wrap:wrap;gap:.8rem;margin:1.1rem 0;padding:0}
.facts div{flex:1 1 auto;min-width:125px;max-width:100%;background:var(--raised);border-radius:6px;padding:.6rem .9rem}
.facts dt{color:var(--muted);font-size:.84rem}
.facts dd{margin:0;font-size:1.28rem;font-weight:600;line-height:1.35;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto;margin:.9rem 0}
table{border-collapse:collapse;font-size:.93rem;font-variant-numeric:tabular-nums}
caption{caption-side:top;text-align:left;color:var(--muted);padding:0 0 .4rem}
th,td{padding:.32rem .7rem;border-bottom:1px solid var(--rule);text-align:left;vertical-align:middle}
thead th{border-bottom:2px solid var(--rule);font-weight:600;vertical-align:bottom}
tbody th{font-weight:500}
th.number,td.number{text-align:right;white-space:nowrap}
td svg{display:block}
table.sortable thead th{cursor:pointer}
th[aria-sort=descending]::after{content:" ▾"}
th[aria-sort=ascending]::after{content:" ▴"}
.key{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin:0 .3em 0 .9em}
table.cross td,table.cross th.number{text-align:center}
.figures{display:flex;flex-wrap:wrap;gap:1.2rem 2rem;align-items:flex-start;margin:1rem 0}
figure{margin:0;min-width:0;max-width:100%}
figure svg{display:block}
.narrow figure{max-width:255px}
figcaption{color:var(--muted);font-size:.9rem;line-height:1.4;margin-top:.4rem;width:0;min-width:min(100%,34em)}
details{margin:1rem 0;border:1px solid var(--rule);border-radius:6px;padding:.2rem .9rem}
summary{cursor:pointer;padding:.4rem 0;font-weight:500}
pre{overflow-x:auto;margin:.3rem 0 .8rem;font-size:.85rem;line-height:1.45}
pre,code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
footer{border-top:1px solid var(--rule);margin-top:3rem;padding-top:.8rem;padding-bottom:2rem;font-size:.86rem}
@media (max-width:520px){
 body{font-size:15px}
 main,header,footer{padding-left:14px;padding-right:14px}
 h1{font-size:1.4rem}
 th,td{padding:.3rem .45rem}
 .facts div{min-width:40%}
}
@media print{
 body{font-size:10.5pt}
 main,header,footer{max-width:none;padding:0}
 nav{display:none}
 a{color:inherit;text-decoration:none}
 *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
 figure:not(:only-child){max-width:47%}
 figure,tr,.verdict,.facts div{break-inside:avoid}
 h2,h3,caption{break-after:avoid}
 .wide,pre{overflow:visible}
 pre{white-space:pre-wrap}
}
"""
)
