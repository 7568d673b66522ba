#include "methods/runtime/backend.h"

#include "datasets/base/nearest_name.h"

#define BACKEND_ROW(name) &backend_##name,
static const Backend *const rows[BACKEND_COUNT] = {BACKENDS(BACKEND_ROW)};

const Backend *backend_at(int index)
{
    return rows[index];
}

Status backend_find(const char *name, const Backend **backend)
{
    for (int i = 0; i < BACKEND_COUNT; i++)
        if (strcmp(rows[i]->name, name) == 0) {
            *backend = rows[i];
            return status_ok();
        }
    NearestName nearest = {.given = name};
    for (int i = 0; i < BACKEND_COUNT; i++)
        nearest_name_add_candidate(&nearest, rows[i]->name);
    return nearest_name_suggest(&nearest,
                                bad_usage("no backend '%s'; `skinbench list backends` lists them", name));
}
