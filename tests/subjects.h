/* Generates subjects (data sets that are benchmarked). A failure to generate one fails the test. */
#pragma once

#include "harness/records/record/subject.h"
#include "tests/support.h"

/* SUBJECT("bar", "around=4", "frames=2") generates a subject, and SUBJECT("bar", NULL) one with the default
 * settings. OWNED_SUBJECT(name, "bar", ...) declares one and releases it at the end of its scope. */
#define SUBJECT(generator, ...) subject_made(generator, (const char *const[]){__VA_ARGS__, NULL})
#define OWNED_SUBJECT(name, ...) CLEANUP(subject_clear) Subject name = SUBJECT(__VA_ARGS__)
static inline Subject subject_made(const char *generator, const char *const *settings)
{
    Subject subject;
    int count = 0;
    while (settings[count])
        count++;
    assert_ok(subject_generate(generator, settings, count, NULL, &subject));
    return subject;
}
