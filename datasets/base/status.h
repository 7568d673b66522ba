/* What every function that can fail returns: a code, which is also the exit code of the program, and one line
 * of text made where the fault was found, saying where and what
 * (`horse/0007.obj:8432: vertex 8431 has 2 coordinates, expected 3`). */
#pragma once

typedef enum StatusCode {
    STATUS_OK = 0,
    STATUS_CHECK_FAILED = 1, /* a comparison or check found what it looks for */
    STATUS_USAGE = 2,        /* the caller's options make no sense */
    STATUS_BAD_INPUT = 3,    /* a file or its values are damaged or impossible */
    STATUS_UNAVAILABLE = 4,  /* a device or library is missing */
    STATUS_SYSTEM = 5,       /* memory, disk or another service of the system failed */
    STATUS_STOPPED = 130     /* the user or a callback asked to stop */
} StatusCode;

enum { STATUS_TEXT_BYTES = 512 };

typedef struct Status {
    StatusCode code;
    char text[STATUS_TEXT_BYTES]; /* empty when code is STATUS_OK */
} Status;

static inline Status status_ok(void)
{
    Status status;
    status.code = STATUS_OK;
    status.text[0] = '\0';
    return status;
}

/* A status with a printf-formatted text, cut to fit, and no code yet. Names from outside are no danger in it:
 * the whole text is escaped (text.h) and so always one line. */
Status status_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline Status status_with_code(StatusCode code, Status status)
{
    status.code = code;
    return status;
}

/* Makes a status: status_make(code, format, ...). The code is set here, where callers' compilers and static
 * analysis see whether it is a success. */
#define status_make(code, ...) status_with_code((code), status_text(__VA_ARGS__))

/* The two most frequent ones: of a file's fault and of the caller's. */
#define bad_input(...) status_make(STATUS_BAD_INPUT, __VA_ARGS__)
#define bad_usage(...) status_make(STATUS_USAGE, __VA_ARGS__)

/* The same status, its text behind `place`: "horse.h5: is damaged". STATUS_OK stays as it is. */
Status status_in(const char *place, Status status);

/* The code of a call of the system that failed with `error` (errno): STATUS_SYSTEM where memory, descriptors
 * or the disk ran out, else `otherwise`. */
StatusCode status_code_of(int error, StatusCode otherwise);

/* Returns the status of `call` if it failed. What the function owns is released by OWNED and CLEANUP
 * (memory.h). */
#define STATUS_TRY(call)                                                                                     \
    do {                                                                                                     \
        const Status failure_ = (call);                                                                      \
        if (failure_.code != STATUS_OK)                                                                      \
            return failure_;                                                                                 \
    } while (0)
