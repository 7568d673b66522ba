#include "harness/run/studies/study.h"

#include "harness/records/papers/study_names.h"

#define STUDY_ROW(identifier, name) extern const Study study_##identifier;
STUDY_NAMES(STUDY_ROW)
#undef STUDY_ROW

const Study *study_find(const char *name)
{
#define STUDY_ROW(identifier, name) {name, &study_##identifier},
    static const struct {
        const char *name;
        const Study *study;
    } rows[] = {STUDY_NAMES(STUDY_ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].study;
    return NULL;
}
