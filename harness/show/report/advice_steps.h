/* What to do with an advice: the commands that put it into the user's file, and where each engine has the
 * advised method. */
#pragma once

#include "harness/records/advice/advice.h"

/* The file that was advised on. */
typedef struct AdviceFile {
    const char *path;
    bool is_dataset; /* a data set file, which need not be imported first */
    bool is_gltf;    /* a glTF file, into which a new skin can be written */
} AdviceFile;

/* Returns the method, or "file", that helper joints should imitate to put the advice into a file, and sets
 * their number. Returns NULL if helper joints are of no use, because lbs is advised, or cannot imitate the
 * reference. */
const char *advice_helper_target(const Advice *advice, int *helpers);

/* Returns lines for a POSIX shell that fit helper joints to the advised method and write a GLB file which
 * every engine plays; "" if there is nothing to do, or if the path has characters that are unsafe in a
 * shell. Returns NULL if memory runs out; release with free. */
char *advice_steps(const Advice *advice, const AdviceFile *file);

/* Returns how an engine switches the advised method on. */
const char *advice_engine(const Advice *advice, int engine);
