# Plain comments as those of Doxygen: of the file, of what follows, of the member before.
/^ *\/?\*/ s|<([a-z_]+)>|\&lt;\1\&gt;|g
/^ *\/?\*/ s|#define|\\#define|g
1s|^/\* |/** @file\n * |
s|^( *)/\* ([^-])|\1/** \2|
s|([;,({]) +/\* |\1 /**< |
