#include "datasets/formats/formats.h"

#include <stddef.h>
#include <string.h>

static const Format formats[] = {
    {.name = "obj-sequence",
     .title = "one Wavefront OBJ file per frame, in a folder, an archive, or one by one",
     .import = obj_sequence_import,
     .export = obj_sequence_export},
};

int format_count(void)
{
    return (int)(sizeof formats / sizeof formats[0]);
}

const Format *format_at(int index)
{
    return &formats[index];
}

const Format *format_find(const char *name)
{
    for (int i = 0; i < format_count(); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}
