# A number over commits: the median of each commit's runs with its interval, each run a ring, and dashed lines where it changed.
# data: for each curve a block of commit number, median, low, high, commit and one of commit number, value of a run;
# curves, names; changes: the places of the lines; commits: labels of the first, second, ... ; step: every so many has one;
# last: the number of the last commit
width = 900
height = 420 + 20 * curves
pdf_width = 7
more_height = 40
load 'common.gp'
set label 1 heading at screen 0.02, screen 1.0 - 24.0 / height left font ',15' textcolor rgb '#222222'
set tmargin (small ? 1 : 4)
set xlabel 'commits, the oldest first'
set ylabel y_title
set xrange [-0.5:last + 0.5]
if (logarithmic eq 'y') set logscale y
set for [i=0:last:step] xtics add (word(commits, i + 1) i)
set xtics rotate by 30 right font ',9'
set key below center maxcols 1 Left reverse samplen 1 textcolor rgb '#333333' noenhanced
do for [i=1:words(changes)] {
    set arrow from word(changes, i) + 0.0, graph 0 to word(changes, i) + 0.0, graph 1 nohead dashtype 2 linewidth 1.5 linecolor rgb '#444444' back
}
plot for [i=0:curves-1] data index 2*i using 1:3:4 with filledcurves fillcolor rgb palette_colors[i % 8 + 1] fillstyle transparent solid 0.15 notitle, \
     for [i=0:curves-1] data index 2*i using 1:2 with linespoints pointtype 7 pointsize 0.7 linewidth 2 linecolor rgb palette_colors[i % 8 + 1] title word(names, i + 1), \
     for [i=0:curves-1] data index 2*i+1 using 1:2 with points pointtype 6 pointsize 0.6 linecolor rgb palette_colors[i % 8 + 1] notitle
