# Turns plain comments into Doxygen's: for the file, for the next declaration, or for the member before.
/^ *\/?\*/ s|<([a-z_]+)>|\&lt;\1\&gt;|g
/^ *\/?\*/ s|#define|\\#define|g
1s|^/\* |/** @file\n * |
s|^( *)/\* ([^-])|\1/** \2|
s|([;,({]) +/\* |\1 /**< |
