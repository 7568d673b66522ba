/* Names, texts and data files of figures. */
#include "harness/report/figure_parts.h"

#include "harness/environment/environment.h"
#include "harness/report/gnuplot.h"
#include "harness/tables/published.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { SETTINGS_BYTES = 6144 };

void figure_file_name(const char *prefix, const char *text, char name[FIGURE_NAME_BYTES])
{
    size_t used = (size_t)snprintf(name, FIGURE_NAME_BYTES, "%s", prefix);
    for (; *text && used + 1 < FIGURE_NAME_BYTES; text++)
        if (isalnum((unsigned char)*text))
            name[used++] = *text;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

void figure_text(const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (; *text && used + 4 < size; text++) {
        if (strchr("_^{}@&~\\", *text))
            out[used++] = '\\';
        if (*text == '\'')
            out[used++] = '\'';
        out[used++] = *text == '\t' || *text == '\n' || *text == '"' ? ' ' : *text;
    }
    out[used] = '\0';
}

Status report_file_open(const char *folder, const char *name, const char *extension, FILE **file)
{
    char path[PUBLISHED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, extension);
    *file = fopen(path, "w");
    return *file ? status_ok() : status_make(STATUS_MACHINE, "%s: %s", path, strerror(errno));
}

Status report_file_close(FILE *file, const char *name, Status before)
{
    bool failed = file && ferror(file) != 0;
    failed = (file && fclose(file) != 0) || failed;
    return failed && before.code == STATUS_OK
               ? status_make(STATUS_MACHINE, "%s: this file of the report cannot be written", name)
               : before;
}

Status figure_draw(const char *script, const char *folder, const char *name, const char *heading,
                   const char *more, bool *drawn)
{
    char settings[SETTINGS_BYTES], home[1024], title[512];
    figure_text(heading, title, sizeof title);
    gnuplot_quote(environment_home(), home, sizeof home);
    snprintf(settings, sizeof settings, "home='%s'; heading='%s'; data='%s.tsv'; %s", home, title, name,
             more);
    Status status = gnuplot_plot(script, folder, name, settings);
    *drawn = status.code == STATUS_OK;
    return status;
}
