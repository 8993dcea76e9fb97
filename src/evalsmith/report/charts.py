"""All charts in one place.

Each is a pure function: numbers in, SVG out (a cross table is HTML). None, NaN and infinite values are missing and
leave a gap, and so are values that are not positive on a logarithmic axis; a chart without any value
says "no data". Colours are the page's, see `style`.
"""

from evalsmith.report.axes import Level
from evalsmith.report.bars import Bars, bar_chart, histogram
from evalsmith.report.heat import cross_table, heat_map
from evalsmith.report.lines import Series, line_chart

__all__ = ["Bars", "Level", "Series", "bar_chart", "cross_table", "heat_map", "histogram", "line_chart"]
