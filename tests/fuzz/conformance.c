/* Fuzzes the judgement of an engine by a conformance pack. An input is pack.json, a null byte, and a.json,
 * which is both the pack's case and the engine's result. */
#include "tests/fuzz/fuzz.h"

#include "harness/run/identify/conformance.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t pack[] = "{\"schema\":\"skinbench-conformance\",\"version\":1,\"cases\":[\"a\"]}";
    const uint8_t *gap = size > 0 ? memchr(data, 0, size) : NULL;
    OWNED ConformanceVerdict *verdicts = NULL;
    int count = 0;
    char folder[128];
    snprintf(folder, sizeof folder, "%s", fuzz_path("."));
    if (gap)
        fuzz_file("pack.json", data, (size_t)(gap - data));
    else
        fuzz_file("pack.json", pack, sizeof pack - 1);
    fuzz_file("a.json", gap ? gap + 1 : data, gap ? size - (size_t)(gap + 1 - data) : size);
    const ConformanceTask task = {.pack = folder, .results = folder, .threads = 1};
    fuzz_feedback(conformance_judge(&task, &verdicts, &count));
    for (int i = 0; i < count; i++) {
        const ConformanceVerdict *verdict = &verdicts[i];
        fuzz_require(text_is_printable(verdict->name) && text_is_printable(verdict->method) &&
                     text_is_printable(verdict->reason));
        fuzz_require(verdict->passed == (verdict->reason[0] == '\0'));
        fuzz_require(verdict->method[0] ? verdict->distance >= 0.0 : !verdict->passed);
        fuzz_require(!verdict->passed || verdict->distance < 1.0);
    }
    return 0;
}
