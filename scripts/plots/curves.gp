# Curves of a study, named in a key on the right; those that coincide are named below the one that is drawn, with "=".
# data: one block per curve of x, y;  names: the titles in the key;  blocks, steps, named: for each its block, the distance
# of its marks, 1 where it is named only;  bounds, bound_names, bound_values: lines across;  rings, rings_data: published
# points;  logarithmic: x, y, xy or nothing
width = 960
height = 500
pdf_width = 3.45
more_height = 60 + 24 * (curves + bounds)
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set tmargin (small ? 2 : 4)
if (!small) set bmargin 4
set xlabel x_title
# On a small figure it is longer than the axis.
if (small) { set label 2 y_title at graph 0, graph 1.06 left textcolor rgb '#333333' } else { set ylabel y_title }
if (strlen(logarithmic) > 0) eval "set logscale ".logarithmic
set format '%g'
set key outside right center Left reverse samplen 3 textcolor rgb '#333333'
if (small) set key outside bottom center Left horizontal reverse samplen 2 width -1
array marks[8] = [7, 5, 9, 11, 13, 6, 4, 8]
block(i) = int(word(blocks, i))
# Later curves are thinner, so that an earlier one shows beside what lies on it.
thickness(i) = 4.2 - 2.6 * block(i) / (int(word(blocks, curves)) + 1.0)
bound(i) = bounds > 0 ? word(bound_values, i) + 0 : NaN
plot for [i=1:curves] data index block(i) using 1:(int(word(named, i)) ? NaN : column(2)) with linespoints \
         linewidth thickness(i) dashtype block(i) % 4 + 1 pointinterval int(word(steps, i)) \
         pointtype marks[block(i) % 8 + 1] pointsize 0.8 linecolor rgb palette_colors[block(i) % 8 + 1] title word(names, i), \
     for [i=1:bounds] bound(i) with lines linewidth 1.5 dashtype 3 linecolor rgb '#333333' \
         title word(bound_names, i), \
     for [i=1:(rings > 0)] rings_data using 1:2 with points pointtype 6 pointsize 2 linewidth 2.5 linecolor rgb '#333333' \
         title 'published'
