# E_RMS against the number of iterations, or against seconds (by_time); each curve is named at its end. Rings mark what the paper
# prints.
# data: one block per curve of iteration or second, E_RMS, row, 1 for the last point;  first, last, top: of the axes;  rings: iteration, published E_RMS, curve number (-1: of a row that was not
# run), its name then;  x_title, rings_title
width = 900
height = 520
pdf_width = 3.45
more_height = 100
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set tmargin (small ? 1 : 4)
set rmargin 24
set xlabel x_title
set ylabel e_rms
if (by_time) first = 0.95 * first; last = 1.05 * last # the outermost points and their names stay inside
set xrange [first:last]
set yrange [0:top]
if (by_time) set logscale x; else set xtics (1, 5, 10, 15, 20, 30, 50, 100)
set key at graph 0.98, graph 0.96 top right Left reverse samplen 1 textcolor rgb '#333333' opaque box linecolor rgb '#ffffff'
if (by_time) unset key # nothing is printed over time, so no ring needs a name
plot for [i=0:curves-1] data index i using 1:2 with lines linewidth 2.5 linecolor rgb palette_colors[i % 8 + 1] notitle, \
     for [i=0:curves-1] data index i using (by_time ? column(1) : NaN):2 with points pointtype 7 pointsize 0.7 \
         linecolor rgb palette_colors[i % 8 + 1] notitle, \
     for [i=0:curves-1] data index i using (column(4) == 1 ? column(1) : NaN):(column(2) + word(shifts, i + 1)):(word(names, i + 1)) \
         with labels left offset 0.8,0 textcolor rgb palette_colors[i % 8 + 1] notitle, \
     for [i=0:curves-1] rings using (int(column(3)) == i ? column(1) : NaN):2 with points pointtype 6 pointsize 1.6 linewidth 2.5 \
         linecolor rgb palette_colors[i % 8 + 1] notitle, \
     rings using (int(column(3)) == -1 ? column(1) : NaN):2 with points pointtype 6 pointsize 1.2 linewidth 1.5 \
         linecolor rgb '#999999' notitle, \
     rings using (int(column(3)) == -1 ? column(1) : NaN):2:4 with labels left offset 0.8,0 textcolor rgb '#999999' notitle, \
     NaN with points pointtype 6 pointsize 1.6 linewidth 2.5 linecolor rgb '#333333' title rings_title
