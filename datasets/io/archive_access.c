/* Archive members as texts, through libarchive in a confined process: libarchive 3.6 crashes when out of
 * memory, and what it reads is foreign. */
#include "datasets/io/archive_access.h"

#include "datasets/io/confined.h"
#include "datasets/io/input_file.h"

#include <archive.h>
#include <archive_entry.h>

enum { PIECE_BYTES = 4 << 20, NAME_BYTES = 1 << 16, SLOTS = 2 };

/* What the process delivers: the next bytes of a member. */
typedef struct Piece {
    Status status;
    bool found;             /* false: the archive ends */
    bool begins, ends;      /* a member */
    double announced_bytes; /* of the member; 0: not said */
    double share;           /* of the archive that is read */
    size_t size_bytes;
} Piece;

/* One slot is filled while the other one is used. */
typedef struct ArchiveShared {
    bool opens; /* the request: to open the archive, else a piece */
    int slot;   /* where the answer goes */
    Piece pieces[SLOTS];
    char names[SLOTS][NAME_BYTES]; /* of the members that begin */
    _Alignas(64) char bytes[SLOTS][PIECE_BYTES];
} ArchiveShared;

struct ArchiveReader {
    char *path;
    double size_bytes;     /* of the archive */
    double unpacked_limit; /* of all members, and of the tar file in a compressed one */
    ConfinedTask task;
    Confined *confined;
    ArchiveShared *shared;
    Piece piece; /* the one that is used, in `slot`: what the process cannot change any more */
    int slot;
    char name[NAME_BYTES]; /* of its member */
    bool asked;            /* for the next piece */
    int pieces_done;
    /* The process's own. */
    struct archive *archive;
    const char *member;  /* NULL: between two */
    double before_bytes; /* of earlier members: announced, or read where that is more */
    double member_bytes; /* of this one */
    double read_bytes;   /* of these */
};

/* Sequences of text pack to a twentieth or, where a mesh stands still, less; this is far beyond. */
static const double UNPACKED_PER_BYTE = 200.0, UNPACKED_BYTES = 64.0 * (1 << 20);
static const double MEMBER_HEADER_BYTES = 512.0; /* as in tar: empty members count too */

/* ---- in the confined process ---- */

static Status archive_failure(const ArchiveReader *reader)
{
    const char *reason = archive_error_string(reader->archive);
    if (archive_errno(reader->archive) == ENOMEM)
        return status_out_of_memory(reader->path);
    return bad_input("%s%s%s: cannot be read: %s", reader->path, reader->member ? ":" : "",
                     reader->member ? reader->member : "", reason ? reason : "no reason given");
}

/* Refuses what unpacks to far more than it is; a member's announced size before any of it is unpacked. */
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
    (void)lseek(CONFINED_FILE, 0, SEEK_SET); /* an earlier process may have read on */
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

/* Steps to the next plain file. */
static Status member_find(ArchiveReader *reader, Piece *piece, char name[NAME_BYTES])
{
    for (;;) {
        struct archive_entry *entry = NULL;
        reader->member = NULL;
        int answer = archive_read_next_header(reader->archive, &entry);
        if (answer == ARCHIVE_EOF)
            return status_ok();
        if (answer != ARCHIVE_OK && answer != ARCHIVE_WARN)
            return archive_failure(reader);
        reader->member = archive_entry_pathname_utf8(entry);
        if (!reader->member)
            reader->member = archive_entry_pathname(entry);
        reader->before_bytes += MEMBER_HEADER_BYTES + reader->member_bytes;
        reader->member_bytes =
            archive_entry_size_is_set(entry) ? fmax((double)archive_entry_size(entry), 0.0) : 0.0;
        reader->read_bytes = 0.0;
        STATUS_TRY(unpacked_check(reader));
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        if (!reader->member || strlen(reader->member) >= NAME_BYTES)
            return status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: a member's name cannot be read",
                               reader->path);
        memcpy(name, reader->member, strlen(reader->member) + 1);
        piece->announced_bytes = reader->member_bytes;
        piece->found = piece->begins = true;
        return status_ok();
    }
}

/* The next bytes of the member, up to its end or as many as a piece has. */
static Status piece_unpack(ArchiveReader *reader, Piece *piece, char bytes[PIECE_BYTES])
{
    piece->found = true;
    while (piece->size_bytes < PIECE_BYTES && !piece->ends) {
        la_ssize_t got =
            archive_read_data(reader->archive, bytes + piece->size_bytes, PIECE_BYTES - piece->size_bytes);
        if (got < 0)
            return archive_failure(reader);
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

static void archive_answer(void *context, void *memory)
{
    ArchiveReader *reader = context;
    ArchiveShared *shared = memory;
    const int slot = shared->slot;
    Piece piece = {0};
    if (shared->opens)
        piece.status = archive_start(reader);
    else if (!reader->member)
        piece.status = member_find(reader, &piece, shared->names[slot]);
    if (piece.status.code == STATUS_OK && reader->member)
        piece.status = piece_unpack(reader, &piece, shared->bytes[slot]);
    piece.share = (double)archive_filter_bytes(reader->archive, -1) / fmax(reader->size_bytes, 1.0);
    shared->pieces[slot] = piece;
}

/* ---- in the program ---- */

/* Sends a request for `slot`. */
static Status request_send(ArchiveReader *reader, bool opens, int slot)
{
    reader->shared->opens = opens;
    reader->shared->slot = slot;
    return status_in(reader->path, confined_begin(reader->confined));
}

/* Waits for the answer in `slot`. Its values are for the caller to doubt. */
static Status answer_wait(ArchiveReader *reader, int slot, Piece *piece)
{
    STATUS_TRY(status_in(reader->path, confined_finish(reader->confined, NULL)));
    *piece = reader->shared->pieces[slot];
    return confined_said(piece->status);
}

static Status slot_ask(ArchiveReader *reader, bool opens, int slot, Piece *piece)
{
    STATUS_TRY(request_send(reader, opens, slot));
    return answer_wait(reader, slot, piece);
}

static Status process_begin(ArchiveReader *reader)
{
    Piece piece;
    confined_end(reader->confined);
    STATUS_TRY(status_in(reader->path, confined_start(&reader->task, &reader->confined)));
    reader->shared = confined_shared(reader->confined);
    return slot_ask(reader, true, 0, &piece);
}

/* Unpacks again from the start, in a new process, up to the piece after those already done. */
static Status piece_again(ArchiveReader *reader, int slot, Piece *piece)
{
    STATUS_TRY(process_begin(reader));
    for (int i = 0; i <= reader->pieces_done; i++)
        STATUS_TRY(slot_ask(reader, false, slot, piece));
    return status_ok();
}

/* Takes the next piece, and has the one after it unpacked meanwhile. Where memory is out, libarchive crashes
 * or takes a sound archive for a damaged one: the fault is the archive's if a second process finds it, too,
 * which is brought as far as the first was. */
static Status piece_next(ArchiveReader *reader)
{
    const int slot = (reader->slot + 1) % SLOTS;
    Piece piece = {0};
    Status status = reader->asked ? status_ok() : request_send(reader, false, slot);
    reader->asked = false;
    if (status.code == STATUS_OK)
        status = answer_wait(reader, slot, &piece);
    if (confined_in_doubt(reader->confined, status)) {
        const Status again = piece_again(reader, slot, &piece);
        status = again.code == STATUS_BAD_INPUT ? status : again;
    }
    if (status.code == STATUS_OK && piece.size_bytes > PIECE_BYTES)
        status = bad_input("%s: cannot be read", reader->path);
    reader->piece = piece;
    reader->slot = slot;
    reader->pieces_done++;
    STATUS_TRY(status);
    if (piece.begins)
        memcpy(reader->name, reader->shared->names[slot], NAME_BYTES - 1);
    if (piece.found) {
        STATUS_TRY(request_send(reader, false, (slot + 1) % SLOTS));
        reader->asked = true;
    }
    return status_ok();
}

Status archive_reader_open(const char *path, ArchiveReader **out)
{
    /* The largest dictionary of xz takes 1.5 GB; at 1 MB/s, unpacking is hardly at work any more. */
    const size_t MEMORY_BYTES = (size_t)2 << 30;
    const double PROCESSOR_S = 10.0, BYTES_PER_S = 1e6;
    *out = NULL;
    OWNED_BY(archive_reader_close) ArchiveReader *reader = NULL;
    ALLOCATE(reader, 1, "an archive");
    reader->task = (ConfinedTask){.file = -1,
                                  .library = LATE_ARCHIVE,
                                  .memory_bytes = MEMORY_BYTES,
                                  .shared_bytes = sizeof(ArchiveShared),
                                  .answer = archive_answer,
                                  .context = reader};
    STATUS_TRY(input_file_open(path, &reader->task.file, &reader->size_bytes));
    reader->unpacked_limit =
        fmax(fmax(UNPACKED_PER_BYTE * reader->size_bytes, UNPACKED_BYTES), (double)memory_limit());
    reader->task.processor_s = PROCESSOR_S + reader->unpacked_limit / BYTES_PER_S;
    COPY_TEXT(reader->path, path, "an archive");
    Status status = process_begin(reader);
    /* libarchive takes memory that is out for no archive, too: a second process knows. */
    if (confined_in_doubt(reader->confined, status))
        status = process_begin(reader);
    STATUS_TRY(status);
    *out = TAKE(reader);
    return status_ok();
}

void archive_reader_close(ArchiveReader *reader)
{
    if (!reader)
        return;
    confined_end(reader->confined);
    if (reader->task.file >= 0)
        close(reader->task.file);
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
        if (got > capacity - used) {
            capacity = 2 * (used + got);
            char *larger = memory_array(capacity + 1, 1);
            ALLOCATED(larger, reader->path);
            memcpy(larger, bytes, used);
            memory_free(bytes);
            bytes = larger;
        }
        memcpy(bytes + used, reader->shared->bytes[reader->slot], got);
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
