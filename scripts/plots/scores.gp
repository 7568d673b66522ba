# Distances of predicted rigs from the true ones, sorted from the best rig to the worst.
# data: one block per score of per cent of the rigs, distance, name;  top: of the axis;  names: of the blocks
width = 900
height = 480
pdf_width = 3.45
more_height = 80
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set tmargin (small ? 1 : 4)
set xlabel '% of the rigs, from best to worst'
set ylabel 'distance'
set xrange [0:100]
set yrange [0:top]
set key at graph 0.02, graph 0.96 top left Left reverse samplen 2 textcolor rgb '#333333'
plot for [i=0:words(names)-1] data index i using 1:2 with lines linewidth 2.5 linecolor rgb palette_colors[i % 8 + 1] \
         title word(names, i + 1)
