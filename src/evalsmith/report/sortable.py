"""A table that a reader sorts by a click on a heading and filters by tag; without scripts it is a plain table.

The script is the only one that pages have. It fetches nothing, and the page's policy names it by its hash, so no other
can run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalsmith.games.svg import element, escape
from evalsmith.report.page import Markup, Page

SCRIPT = """\
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const value = row => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = (a, b) => {
        const x = value(a), y = value(b), numbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
        return numbers ? x - y : x.localeCompare(y, "en", {numeric: true});
      };
      rows.sort((a, b) => down ? compare(b, a) : compare(a, b)).forEach(row => body.append(row));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  });
  const filter = table.parentElement.parentElement.querySelector(".filter");
  if (filter) filter.addEventListener("change", event => {
    const tag = event.target.value;
    let shown = 0;
    for (const row of rows) {
      row.hidden = tag !== "" && !row.dataset.tags.split(" ").includes(tag);
      shown += !row.hidden;
    }
    filter.querySelector("output").textContent = shown;
  });
}
"""


@dataclass(frozen=True)
class Row:
    """A row: its cells, words, numbers or `Markup`, and the tags that it is filtered by."""

    cells: Sequence[object]
    tags: Sequence[str] = ()


def sortable_table(page: Page, columns: Sequence[str], rows: Sequence[Row], *, caption: str = "") -> None:
    """Add a table that can be sorted and, where rows have tags, filtered."""
    tags = sorted({tag for row in rows for tag in row.tags})
    head = [element("th", escape(name), scope="col") for name in columns]
    body = [element("tr", *(_cell(cell) for cell in row.cells), data_tags=" ".join(row.tags)) for row in rows]
    title = [element("caption", escape(caption))] if caption else []
    table = element("table", *title, element("thead", element("tr", *head)), element("tbody", *body), class_="sortable")
    page.markup(element("div", *_filter(tags, len(rows)), element("div", table, class_="wide")))
    page.script(SCRIPT)


def _cell(cell: object) -> str:
    if isinstance(cell, Markup):
        return element("td", cell)
    if isinstance(cell, float):
        return element("td", escape(f"{cell:+.1f}"), class_="number", data_value=repr(cell))
    return element("td", escape("" if cell is None else cell))


def _filter(tags: Sequence[str], count: int) -> list[str]:
    if not tags:
        return []
    options = [element("option", escape("all tags"), value="")]
    options += [element("option", escape(tag), value=tag) for tag in tags]
    shown = element("output", escape(f"{count}"))
    return [
        element("p", element("label", "tag ", element("select", *options)), " ", shown, " positions", class_="filter")
    ]
