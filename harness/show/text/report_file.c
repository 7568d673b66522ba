#include "harness/show/text/report_file.h"

#include "datasets/io/stream.h"
#include "harness/measure/environment/environment.h"
#include "harness/records/papers/published.h"

Status report_file_open(const char *folder, const char *name, const char *extension, FILE **file)
{
    char path[PUBLISHED_PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, extension);
    return stream_create(path, "we", path + strlen(folder) + 1, file);
}

Status report_file_close(FILE *file, const char *name, Status before)
{
    const Status closed = stream_finish(file, name);
    return before.code == STATUS_OK ? closed : before;
}

Status home_file_append(const char *path, FILE *out, bool *there)
{
    char whole[PUBLISHED_PATH_BYTES], bytes[16384];
    snprintf(whole, sizeof whole, "%s/%s", environment_home(), path);
    FILE *in = fopen(whole, "re");
    const int error = errno;
    if (there)
        *there = in != NULL;
    if (!in)
        return there ? status_ok()
                     : status_make(STATUS_SYSTEM, "%s: cannot be read: %s", path, strerror(error));
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, in)) > 0;)
        (void)fwrite(bytes, 1, count, out);
    (void)fclose(in);
    return status_ok();
}
