/* skinbench merge A.jsonl B.jsonl... -o C.jsonl: merges result files. */
#include "harness/commands/commands.h"

#include "harness/records/files/merge.h"

const CommandOption merge_options[] = {
    {"output", "C.jsonl",
     "the merged file, which may be one of the inputs; it is written whole or not at all"},
    {NULL, NULL, NULL},
};

Status merge_run(const CommandLine *line)
{
    const int count = line->argument_count;
    const char *output = NULL;
    MergeCounts counts;
    LOCAL_ARRAY(bool, torn, count, "the names of the result files");
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(results_merge(line->arguments, count, output, torn, &counts));
    for (int i = 0; i < count; i++)
        if (torn[i])
            output_note(line, "%s: the last line is torn (incomplete) and is left out",
                        command_line_argument(line, i));
    if (line->json)
        return output_json(json_pack("{s:o, s:i, s:i, s:i, s:i}", "output", json_text(output), "files", count,
                                     "cells", counts.cells, "runs", counts.environments, "repeats",
                                     counts.repeats));
    terminal_print("wrote %s: %d records of %d runs; %d repeated lines of %d files left out\n", output,
                   counts.cells, counts.environments, counts.repeats, count);
    return status_ok();
}
