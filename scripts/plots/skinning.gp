# Time per vertex by method and backend, with the 95 % interval of the median.
# data: position, label, median, low, high, colour number, text   (a headline has an empty median)
margin = label_size > 22 ? 1.15 * label_size + 1 : 26
width = 640 + 10 * margin
height = 110 + 25 * rows
pdf_width = 7
more_height = 0.1 * height
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set border 1
set lmargin margin
set rmargin 10
set bmargin 4
set tmargin at screen 1.0 - (small ? 10.0 : 44.0) / height
set yrange [rows - 0.2:-0.8]
# A logarithmic axis has no zero for the bars to begin at: they begin at its left end.
if (logarithmic) set logscale x
bar_start = logarithmic ? shortest / 1.6 : 0
set xrange [bar_start:longest * (logarithmic ? 1.3 : 1.02)]
set xlabel (small ? 'ns per vertex and frame' : 'a frame in file order, pose included: nanoseconds per vertex').(logarithmic ? ' (logarithmic)' : '')
set ytics scale 0
unset grid
set grid xtics linecolor rgb '#e3e3e3' linewidth 1 linetype 1
set style fill solid 1.0 noborder
plot data using 3:1:(bar_start):3:(column(1) - 0.36):(column(1) + 0.36):(int(column(6))):ytic(2) with boxxyerror \
         linecolor rgb variable notitle, \
     data using 4:1:(column(5) - column(4)):(0) with vectors nohead linecolor rgb '#222222' linewidth 2 notitle, \
     data using 5:1:7 with labels left offset 0.6,0 textcolor rgb '#222222' notitle
