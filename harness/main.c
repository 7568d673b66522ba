/* skinbench: the verbs, in the order of the help. */
#include "harness/commands/commands.h"
#include "methods/registry.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    static const Command *const commands[] = {
        &command_list,
        &command_skin,
        &command_fit,
        &command_measure,
        &command_bench,
        &command_table,
        &command_report,
        &command_compare,
        &command_doctor,
        &command_generate,
        &command_import,
        &command_export,
        &command_info,
        &command_check,
        &command_weights,
        &command_centers,
        &command_add_twist_joint,
        NULL,
    };
    const Status methods = registry_check();
    if (methods.code != STATUS_OK) {
        fprintf(stderr, "skinbench: %s\n", methods.text);
        return (int)methods.code;
    }
    return command_line_main(commands, argc, argv);
}
