/* The commands. Each is a row of commands_all and is implemented in commands/<command>.c. */
#pragma once

#include "harness/commands/command_line.h"

/* All commands in the order of the help; the last row has only NULLs. */
extern const Command commands_all[];

/* The functions that run the commands, followed by the commands' option tables. */
CommandRun accept_run, add_twist_joint_run, advise_run, bench_command_run, centers_run, check_run, claims_run,
    compare_run, complete_run, conformance_run, doctor_run, export_run, fit_run, generate_run,
    identify_command_run, import_run, info_run, kernels_run, list_run, manual_run, measure_run, merge_run,
    render_run, report_run, score_command_run, skin_run, table_command_run, time_worker_run, weights_run;
extern const CommandOption accept_options[], add_twist_joint_options[], advise_options[], bench_options[],
    centers_options[], check_options[], claims_options[], compare_options[], conformance_options[],
    doctor_options[], export_options[], fit_options[], generate_options[], identify_options[],
    import_options[], kernels_options[], measure_options[], merge_options[], render_options[],
    report_options[], score_options[], skin_options[], table_options[], weights_options[];

/* equal_cost_run runs `table equal-cost FILE...`, which advises on each file with Delta Mush as the
 * reference. helper_joints_run runs `fit --method helper-joints`, which starts from a rig, whereas
 * decompositions start from an animation. */
CommandRun equal_cost_run, helper_joints_run;
extern const Parameter helper_joint_parameters[];
