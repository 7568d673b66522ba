/* Reads archive members as texts with libarchive. libarchive runs in a confined process, because its input
 * is untrusted and version 3.6 crashes when out of memory. */
#include "datasets/io/archive_access.h"

#include "datasets/io/archive_links.h"
#include "datasets/io/confined.h"
#include "datasets/io/input_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

enum { PIECE_BYTES = 4 << 20, NAME_BYTES = 1 << 16, PIECE_SLOTS = 2 };

/* A piece of the contents of an archive member, as the confined process passes it to the caller. */
typedef struct Piece {
    bool found;             /* false: the archive has ended */
    bool unreadable;        /* this member cannot be read; other members may be readable */
    Status reason;          /* why it is unreadable */
    bool begins, ends;      /* whether this is the first or the last piece of the member's contents */
    double announced_bytes; /* announced size of the member; 0: unknown */
    double share;           /* fraction of the archive read so far */
    size_t size_bytes;
} Piece;

/* Memory shared with the confined process. It fills one slot while the caller uses the other. */
typedef struct ArchiveShared {
    int wanted; /* the request: number of a piece for slot wanted % PIECE_SLOTS, or -1 to open the archive */
    Piece pieces[PIECE_SLOTS];
    char names[PIECE_SLOTS][NAME_BYTES]; /* name of the member that begins in each slot */
    _Alignas(64) char bytes[PIECE_SLOTS][PIECE_BYTES];
} ArchiveShared;

struct ArchiveReader {
    char *path;
    double size_bytes;     /* size of the archive */
    double unpacked_limit; /* limit for the total size of the members, and for the size of the tar file inside
                              the archive */
    ConfinedTask task;
    Confined *confined;
    ArchiveShared *shared;
    Piece piece;           /* copy of the current piece, which the confined process cannot change */
    char name[NAME_BYTES]; /* name of the current member */
    int next;              /* number of the next piece */
    bool asked;            /* whether the next piece has been requested */
    /* The following members are used only in the confined process. */
    int made; /* number of pieces unpacked so far */
    struct archive *archive;
    const char *member;  /* name of the current member, or NULL between members */
    double before_bytes; /* total size of the earlier members; each counts with its announced size or the size
                            read, whichever is larger */
    double member_bytes; /* size of the current member */
    double read_bytes;   /* number of bytes of the current member read so far */
    ArchiveLinks links;  /* found in the first pass; the second pass reads their targets */
    bool again, ended;   /* whether the second pass has begun; whether the archive has ended */
    char *held,
        *held_key; /* contents [held_bytes] and key of a member that is the target of links, or NULL */
    size_t held_bytes, held_used;
};

static const double MEMBER_HEADER_BYTES =
    512.0; /* size added for each member's header, as in tar, so that empty members count as well */

/* ---- in the confined process ---- */

static Status archive_failure(const ArchiveReader *reader)
{
    const char *reason = archive_error_string(reader->archive);
    if (archive_errno(reader->archive) == ENOMEM)
        return status_out_of_memory(reader->path);
    return bad_input("%s%s%s: cannot be read: %s", reader->path, reader->member ? ":" : "",
                     reader->member ? reader->member : "", reason ? reason : "no reason given");
}

/* Refuses an archive whose unpacked size exceeds the limit. The announced size of a member counts before
 * the member is unpacked. */
static Status unpacked_check(const ArchiveReader *reader)
{
    const double unpacked =
        fmax((double)archive_filter_bytes(reader->archive, 0), reader->before_bytes + reader->member_bytes);
    if (unpacked <= reader->unpacked_limit)
        return status_ok();
    return bad_input("%s%s%s: unpacks to more than %.0f MB, %.0f times the %.0f bytes of the archive; to "
                     "allow it, use --memory-limit SIZE",
                     reader->path, reader->member ? ":" : "", reader->member ? reader->member : "",
                     reader->unpacked_limit / (1 << 20), floor(unpacked / reader->size_bytes),
                     reader->size_bytes);
}

bool archive_path_packs_one(const char *path)
{
    static const char *const endings[] = {".gz", ".bz2", ".xz", ".lzma", ".zst"};
    const char *ending = strrchr(path, '.');
    if (!ending || (ending - path >= 4 && memcmp(ending - 4, ".tar", 4) == 0))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i]) == 0)
            return true;
    return false;
}

static Status archive_start(ArchiveReader *reader)
{
    enum { BLOCK_BYTES = 1 << 16 };
    int (*const support[])(struct archive *) = {
        archive_read_support_format_tar,  archive_read_support_format_zip,   archive_read_support_format_7zip,
        archive_read_support_filter_gzip, archive_read_support_filter_bzip2, archive_read_support_filter_xz,
        archive_read_support_filter_lzma, archive_read_support_filter_zstd};
    /* names in zip and 7z are Unicode, which libarchive converts to the encoding of the locale */
    static const char *const locales[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8", ""};
    for (size_t i = 0; i < sizeof locales / sizeof *locales && !setlocale(LC_CTYPE, locales[i]);)
        i++;
    (void)lseek(CONFINED_FILE, 0, SEEK_SET); /* an earlier process may have moved the shared file offset */
    reader->archive = archive_read_new();
    bool made = reader->archive != NULL;
    for (size_t i = 0; made && i < sizeof support / sizeof *support; i++)
        made = support[i](reader->archive) != ARCHIVE_FATAL;
    if (made && archive_path_packs_one(reader->path))
        made = archive_read_support_format_raw(reader->archive) != ARCHIVE_FATAL;
    ALLOCATED(made, reader->path);
    return archive_read_open_fd(reader->archive, CONFINED_FILE, BLOCK_BYTES) == ARCHIVE_OK
               ? status_ok()
               : archive_failure(reader);
}

/* Reads a member into memory because links lead to it. */
static Status member_hold(ArchiveReader *reader)
{
    size_t capacity = (size_t)reader->member_bytes + 1;
    ALLOCATE(reader->held, capacity, reader->path);
    for (reader->held_bytes = 0;;) {
        const la_ssize_t got = archive_read_data(reader->archive, reader->held + reader->held_bytes,
                                                 capacity - reader->held_bytes);
        if (got < 0)
            return archive_failure(reader);
        if (got == 0)
            return status_ok();
        reader->held_bytes += (size_t)got;
        reader->member_bytes = fmax(reader->member_bytes, (double)reader->held_bytes);
        STATUS_TRY(unpacked_check(reader));
        if (reader->held_bytes < capacity)
            continue;
        char *larger = memory_array(capacity *= 2, 1);
        ALLOCATED(larger, reader->path);
        memcpy(larger, reader->held, reader->held_bytes);
        memory_free(reader->held);
        reader->held = larger;
    }
}

/* Begins a member: passes its name to the caller. */
static Status member_begin(const ArchiveReader *reader, const char *member, Piece *piece,
                           char name[NAME_BYTES])
{
    if (!member || strlen(member) >= NAME_BYTES)
        return status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: a member's name cannot be read",
                           reader->path);
    memcpy(name, member, strlen(member) + 1);
    piece->found = piece->begins = true;
    return status_ok();
}

/* Finds a link that is left over after both passes because it leads nowhere, and reports it as a fault. */
static Status lost_link_find(ArchiveReader *reader, Piece *piece, char name[NAME_BYTES])
{
    int i = 0;
    while (i < reader->links.count && reader->links.list[i].done)
        i++;
    if (i == reader->links.count)
        return status_ok();
    ArchiveLink *link = &reader->links.list[i];
    link->done = true;
    STATUS_TRY(member_begin(reader, link->name, piece, name));
    piece->ends = piece->unreadable = true;
    return bad_input("%s:%s: is a link to '%.200s', %s", reader->path, link->name, link->text,
                     link->end ? "which is not in the archive"
                               : "which leads out of the archive or in a circle");
}

/* Advances to the next plain file, or to a link to a plain file. */
static Status member_find(ArchiveReader *reader, Piece *piece, char name[NAME_BYTES])
{
    for (;;) {
        struct archive_entry *entry = NULL;
        reader->member = NULL;
        ArchiveLink *next = archive_links_find(&reader->links, reader->held_key);
        if (next) {
            next->done = true;
            reader->member = next->name;
            reader->held_used = 0;
            reader->before_bytes += MEMBER_HEADER_BYTES + (double)reader->held_bytes;
            STATUS_TRY(unpacked_check(reader));
            piece->announced_bytes = (double)reader->held_bytes;
            return member_begin(reader, next->name, piece, name);
        }
        FREE_ALL(reader->held, reader->held_key);
        reader->held = reader->held_key = NULL;
        const int answer = reader->ended ? ARCHIVE_EOF : archive_read_next_header(reader->archive, &entry);
        if (answer == ARCHIVE_EOF && !reader->again && reader->links.count > 0) {
            archive_links_follow(&reader->links);
            reader->again = true;
            reader->before_bytes += reader->member_bytes;
            archive_read_free(reader->archive);
            STATUS_TRY(archive_start(reader));
            continue;
        }
        reader->ended = answer == ARCHIVE_EOF;
        if (reader->ended)
            return lost_link_find(reader, piece, name);
        if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN)
            return archive_failure(reader);
        const char *member = archive_entry_pathname_utf8(entry);
        member = member ? member : archive_entry_pathname(entry);
        const bool plain = archive_entry_filetype(entry) == AE_IFREG;
        const char *hard = plain ? NULL : archive_entry_hardlink(entry);
        const char *link = hard ? hard : archive_entry_symlink(entry);
        reader->before_bytes += reader->again ? 0.0 : MEMBER_HEADER_BYTES + reader->member_bytes;
        reader->member_bytes =
            archive_entry_size_is_set(entry) ? fmax((double)archive_entry_size(entry), 0.0) : 0.0;
        reader->read_bytes = 0.0;
        reader->member = member;
        STATUS_TRY(unpacked_check(reader));
        if (!reader->again && link && member)
            STATUS_TRY(archive_links_add(&reader->links, member, link, hard != NULL, reader->path));
        if (!plain)
            continue;
        if (!reader->again) {
            piece->announced_bytes = reader->member_bytes;
            return member_begin(reader, member, piece, name);
        }
        ALLOCATE(reader->held_key, strlen(member ? member : "") + 2, reader->path);
        if (member && archive_path_from_top("", member, reader->held_key) &&
            archive_links_find(&reader->links, reader->held_key))
            STATUS_TRY(member_hold(reader));
        reader->member_bytes = 0.0;
    }
}

/* Unpacks bytes of the current member until the member ends or the piece is full. */
static Status piece_unpack(ArchiveReader *reader, Piece *piece, char bytes[PIECE_BYTES])
{
    piece->found = true;
    if (reader->held) {
        piece->size_bytes = size_min(reader->held_bytes - reader->held_used, PIECE_BYTES);
        memcpy(bytes, reader->held + reader->held_used, piece->size_bytes);
        reader->held_used += piece->size_bytes;
        piece->ends = reader->held_used == reader->held_bytes;
    }
    while (!reader->held && piece->size_bytes < PIECE_BYTES && !piece->ends) {
        la_ssize_t got =
            archive_read_data(reader->archive, bytes + piece->size_bytes, PIECE_BYTES - piece->size_bytes);
        if (got == ARCHIVE_FAILED) /* libarchive cannot unpack this member: it is encrypted or uses an unknown
                                      compression method */
            piece->unreadable = piece->ends = true;
        if (got < 0) {
            const Status status = archive_failure(reader);
            reader->member = piece->unreadable ? NULL : reader->member;
            return status;
        }
        piece->ends = got == 0;
        piece->size_bytes += (size_t)got;
        reader->read_bytes += (double)got;
        reader->member_bytes = fmax(reader->member_bytes, reader->read_bytes);
        STATUS_TRY(unpacked_check(reader));
    }
    if (piece->ends)
        reader->member = NULL;
    return status_ok();
}

/* A process that repeats a request first unpacks all earlier pieces. */
static Status archive_answer(void *context, void *memory)
{
    ArchiveReader *reader = context;
    ArchiveShared *shared = memory;
    const int wanted = shared->wanted;
    if (!reader->archive)
        STATUS_TRY(archive_start(reader));
    for (; reader->made <= wanted; reader->made++) {
        const int slot = wanted % PIECE_SLOTS;
        Piece *piece = &shared->pieces[slot];
        *piece = (Piece){0};
        Status status = reader->member ? status_ok() : member_find(reader, piece, shared->names[slot]);
        if (status.code == STATUS_OK && reader->member)
            status = piece_unpack(reader, piece, shared->bytes[slot]);
        piece->share = (double)archive_filter_bytes(reader->archive, -1) / fmax(reader->size_bytes, 1.0);
        piece->reason = status;
        if (!piece->unreadable)
            STATUS_TRY(status);
    }
    return status_ok();
}

/* ---- in the calling process ---- */

static void piece_request(ArchiveReader *reader, int number)
{
    reader->shared->wanted = number;
    confined_begin(reader->confined);
    reader->asked = true;
}

static Status answer_wait(ArchiveReader *reader)
{
    char place[STATUS_TEXT_BYTES];
    snprintf(place, sizeof place, "%s: ", reader->path);
    reader->asked = false;
    return confined_finish(reader->confined, place, NULL);
}

/* Takes the next piece and requests the piece after it. The values of the answer are untrusted. */
static Status piece_next(ArchiveReader *reader)
{
    const int slot = reader->next % PIECE_SLOTS;
    if (!reader->asked)
        piece_request(reader, reader->next);
    reader->piece = (Piece){0};
    STATUS_TRY(answer_wait(reader));
    const Piece piece = reader->shared->pieces[slot];
    if (piece.size_bytes > PIECE_BYTES)
        return bad_input("%s: cannot be read", reader->path);
    reader->piece = piece;
    if (piece.begins)
        memcpy(reader->name, reader->shared->names[slot], NAME_BYTES - 1);
    reader->next++;
    if (piece.found)
        piece_request(reader, reader->next);
    return status_ok();
}

Status archive_reader_open(const char *path, ArchiveReader **out)
{
    /* A process that unpacks less than 1 MB/s is considered stuck. The memory limit leaves room for the
     * largest dictionary of xz, 1.5 GB. */
    const size_t MEMORY_BYTES = (size_t)2 << 30;
    const double PROCESSOR_S = 10.0, BYTES_PER_S = 1e6;
    *out = NULL;
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    ALLOCATE(reader, 1, "an archive");
    reader->task = (ConfinedTask){.file = -1,
                                  .memory_bytes = MEMORY_BYTES,
                                  .shared_bytes = sizeof(ArchiveShared),
                                  .answer = archive_answer,
                                  .context = reader};
    STATUS_TRY(input_file_open(path, &reader->task.file, &reader->size_bytes));
    reader->unpacked_limit = input_contents_limit(reader->size_bytes);
    reader->task.processor_s = PROCESSOR_S + reader->unpacked_limit / BYTES_PER_S;
    COPY_TEXT(reader->path, path, "an archive");
    STATUS_TRY(status_in(path, confined_start(&reader->task, &reader->confined)));
    reader->shared = confined_shared(reader->confined);
    piece_request(reader, -1);
    STATUS_TRY(answer_wait(reader));
    *out = TAKE(reader);
    return status_ok();
}

void archive_reader_close(ArchiveReader *reader)
{
    if (!reader)
        return;
    confined_end(reader->confined);
    descriptor_close(&reader->task.file);
    FREE_ALL(reader->path, reader);
}

Status archive_reader_next(ArchiveReader *reader, const char **name)
{
    *name = NULL;
    while (reader->piece.found && !reader->piece.ends)
        STATUS_TRY(piece_next(reader));
    STATUS_TRY(piece_next(reader));
    if (reader->piece.found)
        *name = reader->name;
    return status_ok();
}

Status archive_reader_text(ArchiveReader *reader, char **text, size_t *length)
{
    const double announced = fmin(fmax(reader->piece.announced_bytes, 0.0), reader->unpacked_limit);
    size_t used = 0, capacity = (size_t)announced;
    *text = NULL;
    *length = 0;
    LOCAL_ARRAY(char, bytes, capacity + 1, reader->path);
    for (;;) {
        const size_t got = reader->piece.size_bytes;
        if (reader->piece.unreadable)
            return bad_input("%.*s", STATUS_TEXT_BYTES - 1, reader->piece.reason.text);
        if (got > capacity - used) {
            capacity = 2 * (used + got);
            char *larger = memory_array(capacity + 1, 1);
            ALLOCATED(larger, reader->path);
            memcpy(larger, bytes, used);
            memory_free(bytes);
            bytes = larger;
        }
        memcpy(bytes + used, reader->shared->bytes[(reader->next - 1) % PIECE_SLOTS], got);
        used += got;
        if (reader->piece.ends || !reader->piece.found)
            break;
        STATUS_TRY(piece_next(reader));
    }
    bytes[used] = '\0';
    *text = TAKE(bytes);
    *length = used;
    return status_ok();
}

double archive_reader_share(const ArchiveReader *reader)
{
    return fmin(fmax(reader->piece.share, 0.0), 1.0);
}
