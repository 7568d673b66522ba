/* The commands: each is defined in commands/<command>.c. */
#pragma once

#include "harness/commands/command_line.h"

extern const Command command_add_twist_joint, command_advise, command_bench, command_centers, command_check,
    command_claims, command_accept, command_compare, command_complete, command_doctor, command_export,
    command_fit, command_generate, command_import, command_info, command_list, command_manual,
    command_measure, command_kernels, command_merge, command_render, command_report, command_skin,
    command_table, command_time_worker, command_weights;

/* All of them in the order of the help, NULL-terminated. */
extern const Command *const commands_all[];

/* table equal-cost FILE...: advise on each, against Delta Mush. */
Status equal_cost_run(const CommandLine *line);
