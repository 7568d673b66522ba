#include "datasets/io/file_name.h"

#include "datasets/io/sha256.h"

#include <strings.h>

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_has_suffix(const char *path, const char *suffix)
{
    const size_t length = strlen(path), ending = strlen(suffix);
    return length >= ending && strcasecmp(path + length - ending, suffix) == 0;
}

char *path_join(const char *first, const char *between, const char *second)
{
    const size_t size = strlen(first) + strlen(between) + strlen(second) + 1;
    char *path = memory_array(size, 1);
    if (path)
        snprintf(path, size, "%s%s%s", first, between, second);
    return path;
}

void file_name_from_text(const char *start, const char *text, char name[FILE_NAME_BYTES])
{
    enum { MARK_BYTES = 2 + 16 };
    char digest[SHA256_TEXT_BYTES];
    const size_t begin = (size_t)snprintf(name, FILE_NAME_BYTES, "%.*s", FILE_NAME_BYTES / 2, start);
    size_t used = begin;
    for (const char *cursor = text; *cursor && used + MARK_BYTES + 1 < FILE_NAME_BYTES; cursor++) {
        const char letter = *cursor >= 'A' && *cursor <= 'Z' ? (char)(*cursor - 'A' + 'a') : *cursor;
        const bool kept = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
        const bool first = used == 0 || name[used - 1] == '-';
        if (kept || (letter == '_' && !first))
            name[used++] = letter;
        else if (!first)
            name[used++] = '-';
    }
    while (used > begin && name[used - 1] == '-')
        used--;
    name[used] = '\0';
    if (strcmp(name + begin, text) == 0 && used > 0)
        return;
    sha256_of(text, strlen(text), digest);
    snprintf(name + used, FILE_NAME_BYTES - used, "%s%.16s", used > begin ? "--" : "", digest);
}
