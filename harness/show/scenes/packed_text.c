/* zlib, block by block, and base64 of its blocks. */
#include "harness/show/scenes/packed_text.h"

#include "datasets/base/base64.h"
#include "datasets/base/memory.h"
#include <limits.h>
#include <zlib.h>

/* A multiple of 3: base64 is padded at the end alone. */
enum { BLOCK_BYTES = 3 << 13, GZIP_WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

struct PackedText {
    FILE *file;
    z_stream stream;
    unsigned char block[BLOCK_BYTES];
};

static void *packed_allocate(void *context, uInt count, uInt size)
{
    (void)context;
    return memory_array(count, size);
}

static void packed_free(void *context, void *bytes)
{
    (void)context;
    memory_free(bytes);
}

Status packed_text_open(FILE *file, PackedText **out)
{
    PackedText *text = memory_array(1, sizeof *text);
    *out = NULL;
    if (!text)
        return status_out_of_memory("a packed text");
    text->file = file;
    text->stream = (z_stream){
        .zalloc = packed_allocate, .zfree = packed_free, .next_out = text->block, .avail_out = BLOCK_BYTES};
    /* All it can lack is memory: it is given no file name and no time. */
    if (deflateInit2(&text->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        memory_free(text);
        return status_out_of_memory("a packed text");
    }
    *out = text;
    return status_ok();
}

/* Packs all that is given; writes every block that is full. */
static void packed_text_run(PackedText *text, int flush)
{
    for (int answer = Z_OK; answer == Z_OK && (text->stream.avail_in > 0 || flush == Z_FINISH);) {
        answer = deflate(&text->stream, flush);
        if (text->stream.avail_out > 0 && answer != Z_STREAM_END)
            continue;
        base64_write(text->file, text->block, BLOCK_BYTES - text->stream.avail_out);
        text->stream.next_out = text->block;
        text->stream.avail_out = BLOCK_BYTES;
    }
}

void packed_text_add(PackedText *text, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        const uInt part = count < UINT_MAX ? (uInt)count : UINT_MAX;
        text->stream.next_in = (z_const Bytef *)bytes;
        text->stream.avail_in = part;
        packed_text_run(text, Z_NO_FLUSH);
        bytes += part;
        count -= part;
    }
}

void packed_text_close(PackedText *text)
{
    if (!text)
        return;
    packed_text_run(text, Z_FINISH);
    (void)deflateEnd(&text->stream);
    memory_free(text);
}
