# Published beside measured errors: for each row of the paper a line per method, in the method's colour.
# data: one block per method of place, published, measured, measured beside it (NaN: none);  rows, labels;  series, names;
# lowest, highest: of all;  measured_title, beside_title (empty: nothing was)
lines = rows * (series + 1)
line = series > 2 ? 11 : 24
width = 960
height = 170 + line * lines
pdf_width = 3.45
more_height = 60 + 24 * series
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set border 1
set lmargin 16
set tmargin at screen 1.0 - (small ? 10.0 : 44.0) / height
if (!small) set bmargin 4
set yrange [lines - 0.5:-1]
set logscale x
set xrange [lowest:highest]
set format x '%g'
set xlabel e_rms.' (logarithmic)'
set ytics scale 0 () 
do for [r=1:rows] {
    set ytics add (word(labels, r) (r - 1) * (series + 1) + (series - 1) / 2.0)
    set arrow from graph 0, first r * (series + 1) - 1 to graph 1, first r * (series + 1) - 1 nohead linecolor rgb '#eeeeee'
}
unset grid
set grid xtics linecolor rgb '#e3e3e3' linewidth 1 linetype 1
set key outside right top Left reverse vertical samplen 1 textcolor rgb '#333333'
if (small) set key outside bottom center Left horizontal reverse samplen 1 width -1
if (small) set xtics 100
plot for [s=1:series] data index s - 1 using 2:1:(column(3) - column(2)):(0) with vectors nohead \
         linecolor rgb '#bbbbbb' linewidth 1.5 notitle, \
     for [s=1:series] data index s - 1 using 3:1 with points pointtype 7 pointsize 1.0 linecolor rgb palette_colors[s] \
         title word(names, s), \
     for [s=1:series] data index s - 1 using 2:1 with points pointtype 6 pointsize 1.1 linewidth 1.8 \
         linecolor rgb palette_colors[s] notitle, \
     for [s=1:(strlen(beside_title) > 0 ? series : 0)] data index s - 1 using 4:1 with points pointtype 12 pointsize 1.3 \
         linewidth 1.8 linecolor rgb palette_colors[s] notitle, \
     for [s=1:(strlen(measured_title) > 0)] NaN with points pointtype 7 pointsize 1.0 linecolor rgb '#333333' \
         title measured_title, \
     NaN with points pointtype 6 pointsize 1.1 linewidth 1.8 linecolor rgb '#333333' title 'published', \
     for [s=1:(strlen(beside_title) > 0)] NaN with points pointtype 12 pointsize 1.3 linewidth 1.8 linecolor rgb '#333333' \
         title beside_title
