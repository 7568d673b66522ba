/* skinbench conformance -o FOLDER: writes the cases by which an engine's skinning is judged. */
#include "harness/commands/commands.h"

#include "harness/run/identify/conformance.h"

const CommandOption conformance_options[] = {
    {"output", "FOLDER", "the new folder to write"},
    {NULL, NULL, NULL},
};

Status conformance_run(const CommandLine *line)
{
    const char *output = NULL;
    STATUS_TRY(command_line_required(line, "output", &output));
    STATUS_TRY(conformance_write(output, &line->progress));
    if (line->json)
        return output_json(json_pack("{s:o, s:i, s:i}", "output", json_text(output), "version",
                                     CONFORMANCE_VERSION, "cases", conformance_case_count()));
    terminal_print("%d cases, version %d, in %s; its README.md says how an engine uses them\n",
                   conformance_case_count(), CONFORMANCE_VERSION, output);
    return status_ok();
}
