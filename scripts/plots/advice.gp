# What methods cost against the harm that they do, each with its name; the line joins those that none dominates.
# data: two blocks, not dominated and the others, of cost, loss, where it is drawn, where its label is, method;  budget: 0: none;  least: where the axis of costs begins;
# reach: where it ends;  highest: where the plot ends;  x_title, y_title: of the axes
width = 900
height = 520
pdf_width = 3.45
more_height = 60
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set tmargin (small ? 2 : 4)
if (!small) set bmargin 5
set xlabel x_title
if (small) { set label 2 y_title at graph 0, graph 1.06 left textcolor rgb '#333333' } else { set ylabel y_title }
set logscale x 2
# to the right of the greatest cost there is space for its name
set xrange [least:reach]
set yrange [0:highest + 0.1]
set format '%g'
set key below center horizontal reverse Left samplen 2 textcolor rgb '#333333'
if (budget > 0) set arrow 1 from budget, graph 0 to budget, graph 1 nohead dashtype 2 linewidth 1.5 linecolor rgb '#444444'
# A label that stands further up than beside its point is joined to it.
apart(y, label) = (label - y > 0.05 ? label - 0.015 : NaN)
plot for [i=0:1] data index i using 1:3:(0):(apart($3, $4) - $3) with vectors nohead linewidth 0.8 linecolor rgb '#bbbbbb' notitle, \
     data index 0 using 1:3 smooth unique with lines linewidth 1.5 linecolor rgb palette_colors[1] notitle, \
     data index 1 using 1:3 with points pointtype 6 pointsize 1.2 linewidth 1.6 linecolor rgb '#777777' title 'dominated, or harmful to the skin', \
     data index 0 using 1:3 with points pointtype 7 pointsize 1.4 linecolor rgb palette_colors[1] title 'not dominated', \
     data index 1 using 1:4:5 with labels left offset 0.7,0 textcolor rgb '#555555' notitle, \
     data index 0 using 1:4:5 with labels left offset 0.7,0 textcolor rgb '#003f63' notitle
