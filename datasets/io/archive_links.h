/* The hard and symbolic links of an archive. They are delivered after all other members, because a link may
 * come before its target in the archive. */
#pragma once

#include "datasets/base/base.h"

typedef struct ArchiveLink {
    const char *name, *text;  /* text: the link's target as written in the archive */
    const char *key, *target; /* key, target: name and text as paths from the top folder; target is NULL if it
                                 leads out of the archive */
    const char *end; /* key of the plain file at the end of a chain of links; NULL if there is none */
    bool done;
} ArchiveLink;

/* The links live in the confined process alone, which releases them when it ends. */
typedef struct ArchiveLinks {
    ArchiveLink *list; /* [count] */
    int count;
} ArchiveLinks;

/* Converts `path`, which is relative to the folder of `from`, to a path from the top folder without ".",
 * ".." and empty parts. The size of `out` must be the length of both together + 2. Returns false if the
 * path leads out of the archive. */
bool archive_path_from_top(const char *from, const char *path, char *out);

/* Records a link called `name` with the target `text`. `what` is named if out of memory. */
Status archive_links_add(ArchiveLinks *links, const char *name, const char *text, bool hard,
                         const char *what);

/* Finds the end of each chain of links, once all are recorded. */
void archive_links_follow(ArchiveLinks *links);

/* Returns a link that leads to the member `key` and has not been delivered yet, or NULL if there is none. */
ArchiveLink *archive_links_find(const ArchiveLinks *links, const char *key);
