/* skinbench generate NAME -o FILE: long animations are written as they are made. */
#include "harness/commands/commands.h"

#include "datasets/generate/generate.h"

static const CommandOption options[] = {
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

static Status generate_run(const CommandLine *line)
{
    const Generator *generator = NULL;
    const char *output = NULL;
    ParameterValues values;
    STATUS_TRY(generator_named(command_line_argument(line, 0), &generator));
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(command_line_parameters(line, generator->parameters, generator->name, &values));
    return generator_write(generator, values.values, line->threads, &line->progress, output);
}

const Command command_generate = {
    .name = "generate",
    .synopsis = "GENERATOR -o FILE",
    .summary = "make a procedural data set (bar, rig, walk, jelly, cloth, sheet, flag, skirt, cloak, "
               "elastic, arm, hand, biped, biped-large, creature)",
    .options = options,
    .arguments = {1, 1},
    .takes = TAKES_THREADS | TAKES_SET | PRINTS_OUTPUT,
    .run = generate_run,
};
