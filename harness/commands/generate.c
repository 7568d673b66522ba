/* skinbench generate NAME -o FILE: generates a data set. Long animations are written while they are
 * generated. */
#include "harness/commands/commands.h"

#include "datasets/generate/generate.h"

const CommandOption generate_options[] = {
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

Status generate_run(const CommandLine *line)
{
    const Generator *generator = NULL;
    const char *output = NULL;
    ParameterValues values;
    STATUS_TRY(generator_named(command_line_argument(line, 0), &generator));
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(command_line_parameters(line, generator->parameters, generator->name, &values));
    return generator_write(generator, values.values, line->threads, &line->progress, output);
}
