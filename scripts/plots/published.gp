# Published beside measured errors, a line per row of the paper and method.
# data: position, label, published, measured, measured beside it;  measured_title, beside_title
width = 900
height = 190 + 30 * rows
load home.'/scripts/plots/common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set border 1
set lmargin 32
set rmargin 4
set tmargin at screen 1.0 - 118.0 / height
set yrange [rows - 0.3:-0.7]
set logscale x
set xrange [lowest:highest]
set xtics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
set xlabel 'E_{RMS} (logarithmic)'
set ytics scale 0
unset grid
set grid xtics linecolor rgb '#e3e3e3' linewidth 1 linetype 1
set key at screen 0.02, screen 1.0 - 52.0 / height left top Left reverse vertical samplen 1 textcolor rgb '#333333'
plot data using 3:1:(column(4) - column(3)):(0):ytic(2) with vectors nohead linecolor rgb '#bbbbbb' linewidth 2 notitle, \
     data using 4:1 with points pointtype 7 pointsize 1.4 linecolor rgb palette_colors[1] title measured_title, \
     data using 5:1 with points pointtype 13 pointsize 1.6 linecolor rgb palette_colors[2] title beside_title, \
     data using 3:1 with points pointtype 6 pointsize 1.7 linewidth 2.5 linecolor rgb '#333333' title 'published'
