/* The return type of every function that can fail. A status has a code, which is also the program's exit
 * code, and one line of text that says where and what went wrong (`horse/0007.obj:8432: vertex 8431 has 2
 * coordinates, expected 3`). The function that finds the fault writes the text. */
#pragma once

typedef enum StatusCode {
    STATUS_OK = 0,
    STATUS_CHECK_FAILED = 1, /* a comparison or check failed */
    STATUS_USAGE = 2,        /* the caller's options are invalid */
    STATUS_BAD_INPUT = 3,    /* a file is damaged or its values are impossible */
    STATUS_UNAVAILABLE = 4,  /* a device or library is missing */
    STATUS_SYSTEM = 5,       /* memory, disk or another system service failed */
    STATUS_STOPPED = 130     /* the user or a callback asked to stop */
} StatusCode;

enum { STATUS_TEXT_BYTES = 512 };

typedef struct Status {
    StatusCode code;
    char text[STATUS_TEXT_BYTES]; /* empty if code is STATUS_OK */
} Status;

static inline Status status_ok(void)
{
    Status status;
    status.code = STATUS_OK;
    status.text[0] = '\0';
    return status;
}

/* Makes a status from a printf format, without setting its code. The text is truncated to fit. It is
 * escaped as a whole (text.h), so that names from outside cannot break the line. */
Status status_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline Status status_with_code(StatusCode code, Status status)
{
    status.code = code;
    return status;
}

/* Makes a status: status_make(code, format, ...). The code is set in the caller, where compilers and static
 * analysis can see it. */
#define status_make(code, ...) status_with_code((code), status_text(__VA_ARGS__))

/* Make a status with the code STATUS_BAD_INPUT (a fault in a file) or STATUS_USAGE (a fault of the
 * caller). */
#define bad_input(...) status_make(STATUS_BAD_INPUT, __VA_ARGS__)
#define bad_usage(...) status_make(STATUS_USAGE, __VA_ARGS__)

/* Prefixes the text with `place`, as in "horse.h5: is damaged". STATUS_OK is returned unchanged. */
Status status_in(const char *place, Status status);

/* Returns the code for a system call that failed with `error` (errno). The code is STATUS_SYSTEM if memory,
 * descriptors or disk space ran out, and `otherwise` in all other cases. */
StatusCode status_code_of(int error, StatusCode otherwise);

/* Returns from the function if `call` fails. OWNED and CLEANUP (memory.h) release what the function
 * owns. */
#define STATUS_TRY(call)                                                                                     \
    do {                                                                                                     \
        const Status failure_ = (call);                                                                      \
        if (failure_.code != STATUS_OK)                                                                      \
            return failure_;                                                                                 \
    } while (0)
