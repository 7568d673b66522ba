/* A user's own rigs in a folder of data sets: files that the catalogue does not list. Tables with `own_rigs`
 * measure them in rows that have the names of the files. */
#pragma once

#include "harness/records/papers/published_table.h"
#include "harness/records/record/subject.h"

/* Adds a row for each file of the folder that may be a rig: a data set file with a rig or one that cannot be
 * read, or a glTF file, in alphabetical order. Does nothing if the folder is NULL or cannot be listed. */
Status own_rigs_add(PublishedTable *table, const char *folder);

/* The limits on own rigs. All of them together may take OWN_RIGS_S seconds. Returns STATUS_UNAVAILABLE with
 * the reason if a rig has too many vertices, or if `before` rigs were measured before it. */
static const double OWN_RIGS_S = 60.0;
enum { OWN_RIG_VERTICES_MAX = 60000 };
Status own_rig_check(const PublishedTable *table, int before, const Subject *subject);
