# What all figures share. Set before: face (svg, pdf or png), output_name, and by the figure itself: width and height in
# points of a screen, and more_height, what a PDF needs beyond that, pdf_width in inches. Colours are those of Okabe and Ito (2008), which hold for
# every kind of colour vision.
if (face eq 'svg') set terminal svg size width,height dynamic font 'DejaVu Sans,13' background '#ffffff'
# A PDF is for half a page (3.45 inches) or a page of the paper, and set as large as it is: its letters are then 7.2 points high (pdfcairo
# sets a font at two thirds of its size). It has a caption there in the place of a heading, and its key is below.
small = face eq 'pdf'
if (small) set terminal pdfcairo size pdf_width in,pdf_width*(height+more_height)/width in font 'DejaVu Sans,10.8' linewidth 0.6 pointscale 0.6
if (small) heading = ''
e_rms = small ? 'E\_RMS' : 'E_{RMS}' # no letter smaller than others
if (face eq 'png') set terminal pngcairo size 1.5*width,1.5*height font 'DejaVu Sans,15' fontscale 1.0 background '#ffffff'
set output output_name
array palette_colors[8] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#999999']
set border 3 linecolor rgb '#666666' linewidth 1
set tics nomirror textcolor rgb '#333333'
set grid linecolor rgb '#e3e3e3' linewidth 1 linetype 1
set datafile separator "\t"
set encoding utf8
