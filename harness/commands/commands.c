#include "harness/commands/commands.h"

#include <stddef.h>

const Command *const commands_all[] = {
    &command_advise,
    &command_list,
    &command_skin,
    &command_fit,
    &command_measure,
    &command_bench,
    &command_table,
    &command_claims,
    &command_report,
    &command_compare,
    &command_accept,
    &command_merge,
    &command_doctor,
    &command_generate,
    &command_import,
    &command_export,
    &command_render,
    &command_info,
    &command_check,
    &command_weights,
    &command_centers,
    &command_add_twist_joint,
    &command_complete,
    &command_kernels,
    &command_manual,
    &command_time_worker,
    NULL,
};
