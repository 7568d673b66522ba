# Curves of a study, named in a key on the right.
# data: one block per curve of x, y;  names: the curves' titles;  logarithmic: x, y, xy or nothing
width = 900
height = 500
load home.'/scripts/plots/common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set tmargin 4
set bmargin 4
set xlabel x_title
set ylabel y_title
if (strlen(logarithmic) > 0) eval "set logscale ".logarithmic
set format '%g'
set key outside right center Left reverse samplen 2 textcolor rgb '#333333'
plot for [i=0:curves-1] data index i using 1:2 with lines linewidth 2.2 dashtype i/8+1 \
     linecolor rgb palette_colors[i % 8 + 1] title word(names, i + 1)
