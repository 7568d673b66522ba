# Cycles per vertex of the skin stage and of a frame, and what the machine allows: a mark for each limit, right of which
# nothing needs to be.
# data: position, label, cycles, limits of arithmetic with full lanes, as tiled, of the load ports, of writing the results,
# where these are, share of the greatest limit, colour number   (a headline has no cycles)
margin = label_size > 22 ? 1.15 * label_size + 1 : 26
width = 640 + 10 * margin
height = 160 + 25 * rows
pdf_width = 7
more_height = 0.1 * height
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set border 1
set lmargin margin
set rmargin 10
set bmargin 7
set tmargin at screen 1.0 - (small ? 10.0 : 44.0) / height
set yrange [rows - 0.2:-0.8]
set logscale x
bar_start = shortest / 1.6
set xrange [bar_start:longest * 1.6]
set xlabel 'cycles per vertex and frame (logarithmic)'
set ytics scale 0
unset grid
set grid xtics linecolor rgb '#e3e3e3' linewidth 1 linetype 1
set style fill solid 0.35 noborder
set key at screen 0.5, screen (small ? 34.0 : 30.0) / height center center Left reverse samplen 1 textcolor rgb '#333333' maxrows 2
# Marks that stand at the same place are both seen: they differ in height.
plot data using 3:1:(bar_start):3:(column(1) - 0.36):(column(1) + 0.36):(int(column(10))):ytic(2) with boxxyerror \
         linecolor rgb variable notitle, \
     data using 4:(column(1) - 0.2) with points pointtype 6 linewidth 2 linecolor rgb '#000000' title 'arithmetic, full lanes', \
     data using 5:(column(1) - 0.2) with points pointtype 7 linecolor rgb '#000000' title 'arithmetic, as tiled', \
     data using 6:(column(1) + 0.16) with points pointtype 9 linecolor rgb '#d55e00' title 'load ports', \
     data using 7:1 with points pointtype 5 pointsize 0.8 linecolor rgb '#0072b2' title 'writing the results', \
     data using 7:1:8 with labels right offset -0.6,0 font ',9' textcolor rgb '#0072b2' notitle, \
     data using 3:1:9 with labels left offset 0.6,0 textcolor rgb '#222222' notitle
