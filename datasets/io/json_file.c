/* Reads JSON with jansson, and distinguishes invalid text from lack of memory. */
#include "datasets/io/json_file.h"

#include "datasets/io/input_file.h"

#include <setjmp.h>

/* ---- parsing when memory may run out ----
 *
 * jansson's lexer does not notice if its buffer cannot grow (2.14, lex_save). It then drops a byte. If that
 * byte is the closing quote of a string, jansson reads and writes beyond its buffer. A failed allocation
 * therefore does not return to the parser but jumps out of it, and the parser's allocations are freed here.
 * To make this possible, memory that the parser frees is kept until parsing ends. */

typedef struct ParsedBlocks {
    void **list;
    size_t count;
} ParsedBlocks;

/* A chunk of memory from which blocks are allocated in sequence. */
typedef struct JsonChunk {
    struct JsonChunk *next;
    size_t size, used;
    max_align_t bytes[];
} JsonChunk;

typedef struct Parsing {
    jmp_buf failed;
    ParsedBlocks allocated, released;
    JsonLines *lines; /* if not NULL, blocks are allocated from this memory */
} Parsing;

static _Thread_local Parsing *parsing; /* state of the parser that runs in this thread, or NULL */

static void block_append(ParsedBlocks *blocks, void *block)
{
    void **list = memory_grow(blocks->list, blocks->count, sizeof *list);
    if (!list)
        longjmp(parsing->failed, 1);
    blocks->list = list;
    list[blocks->count++] = block;
}

static void *chunk_allocate(JsonLines *lines, size_t bytes)
{
    enum { CHUNK_BYTES = 1 << 16 };
    JsonChunk *chunk = lines->chunks;
    const size_t aligned =
        (bytes + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) * _Alignof(max_align_t);
    if (!chunk || chunk->size - chunk->used < aligned) {
        const size_t size = size_max(aligned, chunk ? 2 * chunk->size : CHUNK_BYTES);
        JsonChunk *added = memory_for_library(sizeof *added + size);
        if (!added)
            longjmp(parsing->failed, 1);
        *added = (JsonChunk){.next = chunk, .size = size};
        lines->chunks = chunk = added;
    }
    chunk->used += aligned;
    return (char *)chunk->bytes + chunk->used - aligned;
}

/* Frees all chunks except the largest. */
static void chunks_release(JsonLines *lines)
{
    for (JsonChunk *chunk = NULL; lines->chunks && (chunk = lines->chunks->next) != NULL;) {
        lines->chunks->next = chunk->next;
        free(chunk);
    }
    if (lines->chunks)
        lines->chunks->used = 0;
}

void json_lines_clear(JsonLines *lines)
{
    chunks_release(lines);
    free(lines->chunks);
    lines->chunks = NULL;
}

static void *json_allocate(size_t bytes)
{
    if (!parsing)
        return memory_for_library(bytes);
    if (parsing->lines)
        return chunk_allocate(parsing->lines, bytes);
    /* make room in the list first, so that the block is not lost if the list cannot grow */
    block_append(&parsing->allocated, NULL);
    void *block = memory_for_library(bytes);
    if (!block)
        longjmp(parsing->failed, 1);
    parsing->allocated.list[parsing->allocated.count - 1] = block;
    return block;
}

static void json_release(void *block)
{
    if (!parsing)
        free(block);
    else if (!parsing->lines && block)
        block_append(&parsing->released, block);
}

void json_memory_init(void)
{
    json_set_alloc_funcs(json_allocate, json_release);
}

/* ---- plain lines ----
 *
 * Most lines contain only names and strings of printable ASCII without escapes. The functions below read
 * such lines in a third of the time that jansson needs, because jansson makes a call for every byte. They
 * return NULL for anything else and for errors; jansson then reads the line. */

typedef struct PlainText {
    const char *at, *const end;
} PlainText;

static json_t *plain_value(PlainText *text, int depth);

/* Skips blanks and returns the next byte without consuming it. Returns NUL at the end. */
static char plain_next(PlainText *text)
{
    while (text->at < text->end &&
           (*text->at == ' ' || *text->at == '\t' || *text->at == '\r' || *text->at == '\n'))
        text->at++;
    return text->at < text->end ? *text->at : '\0';
}

/* Parses the text between two quotes. */
static const char *plain_string(PlainText *text, size_t *length)
{
    enum { ASCII_DELETE = 127 };
    if (plain_next(text) != '"')
        return NULL;
    const char *const first = ++text->at;
    for (; text->at < text->end && *text->at != '"'; text->at++)
        if (*text->at < ' ' || *text->at >= ASCII_DELETE || *text->at == '\\')
            return NULL;
    *length = (size_t)(text->at - first);
    return text->at++ < text->end ? first : NULL;
}

/* Skips digits. Returns false if there are none. */
static bool plain_digits(PlainText *text)
{
    const char *const first = text->at;
    while (text->at < text->end && *text->at >= '0' && *text->at <= '9')
        text->at++;
    return text->at > first;
}

/* Parses a number with strtod. If the locale's decimal point is not '.', strtod stops at the '.' and NULL
 * is returned. */
static json_t *plain_number(PlainText *text)
{
    const char *const first = text->at;
    char *stop = NULL;
    text->at += *first == '-';
    const char *const digits = text->at;
    bool whole = true;
    if (!plain_digits(text) || (*digits == '0' && text->at > digits + 1))
        return NULL;
    if (text->at < text->end && *text->at == '.') {
        whole = false;
        text->at++;
        if (!plain_digits(text))
            return NULL;
    }
    if (text->at < text->end && (*text->at == 'e' || *text->at == 'E')) {
        whole = false;
        text->at++;
        text->at += text->at < text->end && (*text->at == '+' || *text->at == '-');
        if (!plain_digits(text))
            return NULL;
    }
    if (text->at == text->end) /* strtod would read beyond the end */
        return NULL;
    errno = 0;
    const long long integer = whole ? strtoll(first, &stop, 10) : 0;
    const double real = whole ? 0.0 : strtod(first, &stop);
    if (stop != text->at || isinf(real) || (whole && errno == ERANGE))
        return NULL;
    return whole ? json_integer(integer) : json_real(real);
}

static json_t *plain_container(PlainText *text, int depth)
{
    enum { NAME_BYTES = 128, DEPTH_MAX = 32 };
    const bool named = *text->at++ == '{';
    const char close = named ? '}' : ']';
    json_t *all = named ? json_object() : json_array();
    char name[NAME_BYTES] = "";
    if (plain_next(text) == close) {
        text->at++;
        return all;
    }
    for (size_t count = 1; depth < DEPTH_MAX; count++) {
        if (named) {
            size_t length = 0;
            const char *const first = plain_string(text, &length);
            if (!first || length >= sizeof name || plain_next(text) != ':')
                return NULL;
            memcpy(name, first, length);
            name[length] = '\0';
            text->at++;
        }
        json_t *value = plain_value(text, depth + 1);
        if (!value ||
            (named ? json_object_set_new_nocheck(all, name, value) : json_array_append_new(all, value)) != 0)
            return NULL;
        const char next = plain_next(text);
        /* either a name occurs twice, or neither a comma nor the end of the list follows */
        if ((named && json_object_size(all) < count) || (next != ',' && next != close))
            return NULL;
        text->at++;
        if (next == close)
            return all;
    }
    return NULL;
}

static json_t *plain_value(PlainText *text, int depth)
{
    static const char *const words[] = {"null", "false", "true"};
    const char first = plain_next(text);
    size_t length = 0;
    if (first == '{' || first == '[')
        return plain_container(text, depth);
    if (first == '"') {
        const char *const string = plain_string(text, &length);
        return string ? json_stringn_nocheck(string, length) : NULL;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        length = strlen(words[i]);
        if ((size_t)(text->end - text->at) >= length && memcmp(text->at, words[i], length) == 0) {
            text->at += length;
            return i == 0 ? json_null() : json_boolean(i - 1);
        }
    }
    return text->at < text->end ? plain_number(text) : NULL;
}

static json_t *json_load(const char *text, size_t length, json_error_t *error)
{
    if (setjmp(parsing->failed) != 0)
        return NULL;
    /* If the plain parser fails, the memory that it took is reclaimed together with `lines`. */
    if (parsing->lines) {
        PlainText plain = {text, text + length};
        const char first = plain_next(&plain);
        json_t *value = first == '{' || first == '[' ? plain_value(&plain, 0) : NULL;
        if (value && plain_next(&plain) == '\0' && plain.at == plain.end)
            return value;
    }
    return json_loadb(text, length, JSON_REJECT_DUPLICATES, error);
}

/* Converts integers beyond 64 bits to reals of the same length: 18446744073709551615 becomes
 * 18446744073709551e+3. Otherwise jansson would refuse the text, even if nobody uses the value. Returns
 * false if there are no such integers. text [length] is followed by a NUL. */
static bool integers_shorten(char *text, size_t length)
{
    bool quoted = false, shortened = false;
    for (size_t i = 0; i < length;) {
        quoted = quoted != (text[i] == '"');
        if (quoted) {
            i += text[i] == '\\' ? 2 : 1;
            continue;
        }
        const size_t sign = text[i] == '-', whole = sign + strspn(text + i + sign, "0123456789");
        const size_t number = strspn(text + i, "+-.0123456789eE");
        errno = 0;
        if (whole == number && number > sign && (strtoll(text + i, NULL, 10), errno == ERANGE)) {
            char *end = text + i + whole;
            end[-3] = 'e';
            end[-2] = '+';
            end[-1] = '3';
            shortened = true;
        }
        i += size_max(number, 1);
    }
    return shortened;
}

/* Parses text [length], which may begin with a byte-order mark. `lines` may be NULL. */
static Status json_parse(const char *text, size_t length, const char *where, JsonLines *lines,
                         json_error_t *error, json_t **out)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t skipped = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    text += skipped;
    length -= skipped;
    Parsing state = {.lines = lines};
    const long failures = memory_failures();
    json_memory_init();
    parsing = &state;
    *out = json_load(text, length, error);
    parsing = NULL;
    OWNED char *copy = NULL;
    if (!*out && memory_failures() == failures && json_error_code(error) == json_error_numeric_overflow) {
        copy = memory_array(length + 1, 1);
        if (copy)
            memcpy(copy, text, length);
        parsing = &state;
        *out = copy && integers_shorten(copy, length) ? json_load(copy, length, error) : NULL;
        parsing = NULL;
    }
    char jansson[sizeof error->text];
    if (!*out && length == 0) {
        snprintf(error->text, sizeof error->text, "is empty, expected JSON");
    } else if (!*out && (strstr(error->text, "'[' or '{' expected") ||
                         (error->position == 0 && strstr(error->text, "unable to decode")))) {
        /* jansson does not say that JSON was expected */
        snprintf(jansson, sizeof jansson, "%s", error->text);
        snprintf(error->text, sizeof error->text, "this is not JSON: %.120s", jansson);
    }
    const char *nul = *out ? NULL : memchr(text, '\0', length);
    if (nul && nul - text <= error->position)
        snprintf(error->text, sizeof error->text, "byte %zu is NUL", (size_t)(nul - text) + skipped);
    else if (!*out && strstr(error->text, "JSON_ALLOW_NUL")) /* jansson's message names a flag of C */
        snprintf(error->text, sizeof error->text, "\\u0000 is not allowed in a text");
    const ParsedBlocks *dead = *out ? &state.released : &state.allocated;
    for (size_t i = 0; i < dead->count; i++)
        free(dead->list[i]);
    FREE_ALL(state.allocated.list, state.released.list);
    if (memory_failures() == failures)
        return status_ok();
    /* If an allocation failed, the value may lack a member. */
    if (!lines)
        json_decref(*out);
    *out = NULL;
    return status_out_of_memory(where);
}

/* Returns a failure with jansson's message and the position of the error in the text. */
static Status json_fault(const char *where, const json_error_t *error)
{
    return bad_input("%s: %s, at byte %d", where, error->text, error->position);
}

Status json_file_read(const char *path, json_t **out)
{
    json_error_t error = {.line = 0};
    OWNED char *text = NULL;
    size_t length = 0;
    *out = NULL;
    STATUS_TRY(input_file_read(path, JSON_TEXT_BYTES_MAX, &text, &length));
    STATUS_TRY(json_parse(text, length, path, NULL, &error, out));
    char where[STATUS_TEXT_BYTES];
    snprintf(where, sizeof where, "%.400s:%d", path, error.line);
    return *out ? status_ok() : json_fault(where, &error);
}

Status json_text_read(const char *text, size_t length, const char *where, json_t **out)
{
    json_error_t error = {.line = 0};
    STATUS_TRY(json_parse(text, length, where, NULL, &error, out));
    return *out ? status_ok() : json_fault(where, &error);
}

Status json_line_read(JsonLines *lines, const char *text, size_t length, const char *where, json_t **out)
{
    json_error_t error = {.line = 0};
    chunks_release(lines);
    STATUS_TRY(json_parse(text, length, where, lines, &error, out));
    return *out ? status_ok() : json_fault(where, &error);
}

json_t *json_text(const char *text)
{
    json_t *value = json_string(text); /* NULL also if the text is not UTF-8 */
    const size_t size = 4 * strlen(text) + 1;
    char *escaped = value ? NULL : memory_array(size, 1);
    if (escaped) {
        (void)text_escape_invalid(escaped, size, text);
        value = json_string(escaped);
        memory_free(escaped);
    }
    return value;
}
