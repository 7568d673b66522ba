# One column against another, a colour for each method: what was measured is filled, what is published open.
# data: two blocks per method, published and measured, of x, y, label;  series, names, counts (of what was measured),
# published: how many points;  logarithmic: x, y, xy or nothing
width = 960
height = 560
pdf_width = 3.45
more_height = 60 + 24 * series
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set tmargin (small ? 2 : 4)
if (!small) set bmargin 4
set xlabel x_title
# On a small figure it is longer than the axis.
if (small) { set label 2 y_title at graph 0, graph 1.06 left textcolor rgb '#333333' } else { set ylabel y_title }
if (strlen(logarithmic) > 0) eval "set logscale ".logarithmic
set format '%g'
set key outside right center Left reverse samplen 1 textcolor rgb '#333333'
if (small) set key outside bottom center Left horizontal reverse samplen 2 width -1
array marks[8] = [7, 5, 9, 11, 13, 15, 3, 2]
array rings[8] = [6, 4, 8, 10, 12, 14, 1, 2]
style(s) = (s - 1) % 8 + 1
# a colour that comes again comes with another mark
mark(s) = (s - 1 + (s - 1) / 8 * 3) % 8 + 1
plot for [s=1:series] data index 2 * s - 1 using 1:2 with points pointtype marks[mark(s)] pointsize 1.2 \
         linecolor rgb palette_colors[style(s)] title (int(word(counts, s)) ? word(names, s) : ''), \
     for [s=1:series] data index 2 * s - 2 using 1:2 with points pointtype rings[mark(s)] pointsize 1.2 linewidth 1.6 \
         linecolor rgb palette_colors[style(s)] notitle, \
     for [s=1:(published > 0)] NaN with points pointtype 6 pointsize 1.2 linewidth 1.6 linecolor rgb '#333333' \
         title 'published (open)'
