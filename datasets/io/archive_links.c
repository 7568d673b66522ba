/* Resolves the links of an archive by the paths of its members alone. */
#include "datasets/io/archive_links.h"

bool archive_path_from_top(const char *from, const char *path, char *out)
{
    const char *slash = strrchr(from, '/');
    const char *const starts[] = {from, path}, *const ends[] = {slash ? slash : from, path + strlen(path)};
    size_t used = 0;
    for (int i = 0; i < 2; i++)
        for (const char *part = starts[i]; part < ends[i];) {
            const size_t length = size_min(strcspn(part, "/"), (size_t)(ends[i] - part));
            if (length == 2 && memcmp(part, "..", 2) == 0) {
                if (used == 0)
                    return false;
                while (used > 0 && out[--used] != '/')
                    continue;
            } else if (length > 0 && !(length == 1 && part[0] == '.')) {
                out[used] = '/';
                used += used > 0;
                memcpy(out + used, part, length);
                used += length;
            }
            part += length + 1;
        }
    out[used] = '\0';
    return true;
}

Status archive_links_add(ArchiveLinks *links, const char *name, const char *text, bool hard, const char *what)
{
    const size_t size = strlen(name) + strlen(text) + 2;
    char *key = memory_array(size, 1), *target = memory_array(size, 1);
    const ArchiveLink link = {
        .name = memory_text(name), .text = memory_text(text), .key = key, .target = target};
    GROW(links->list, links->count, what);
    ALLOCATED(key && target && link.name && link.text, what);
    links->list[links->count] = link;
    /* the text of a hard link names a member, and a leading slash in it has no meaning */
    if (!archive_path_from_top("", name, key) || (!hard && text[0] == '/') ||
        !archive_path_from_top(hard ? "" : key, text, target))
        links->list[links->count].target = NULL;
    links->count++;
    return status_ok();
}

/* A chain that is longer than operating systems allow leads nowhere. */
void archive_links_follow(ArchiveLinks *links)
{
    enum { CHAIN_MAX = 40 };
    for (int i = 0; i < links->count; i++) {
        const char *end = links->list[i].target;
        for (int steps = 0, k = 0; end && k < links->count; k++)
            if (strcmp(links->list[k].key, end) == 0) {
                end = steps++ < CHAIN_MAX ? links->list[k].target : NULL;
                k = -1;
            }
        links->list[i].end = end;
    }
}

ArchiveLink *archive_links_find(const ArchiveLinks *links, const char *key)
{
    for (int i = 0; key && i < links->count; i++)
        if (!links->list[i].done && links->list[i].end && strcmp(links->list[i].end, key) == 0)
            return &links->list[i];
    return NULL;
}
