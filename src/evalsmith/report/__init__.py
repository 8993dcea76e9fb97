"""Pages and pictures of what was measured: charts, heat maps, cross tables, and the page that holds them."""

from evalsmith.report.charts import Bars, Level, Series, bar_chart, cross_table, heat_map, histogram, line_chart
from evalsmith.report.page import Figure, Markup, Page
from evalsmith.report.runs import write_report
from evalsmith.report.scales import readable

__all__ = [
    "Bars",
    "Figure",
    "Level",
    "Markup",
    "Page",
    "Series",
    "bar_chart",
    "cross_table",
    "heat_map",
    "histogram",
    "line_chart",
    "readable",
    "write_report",
]
