/* The verbs: each is defined in commands/<verb>.c. */
#ifndef SKINBENCH_COMMANDS_COMMANDS_H
#define SKINBENCH_COMMANDS_COMMANDS_H

#include "harness/commands/command_line.h"

extern const Command command_list;
extern const Command command_skin;
extern const Command command_fit;
extern const Command command_measure;
extern const Command command_bench;
extern const Command command_table;
extern const Command command_report;
extern const Command command_compare;
extern const Command command_doctor;
extern const Command command_import;
extern const Command command_export;
extern const Command command_generate;
extern const Command command_info;
extern const Command command_check;
extern const Command command_weights;
extern const Command command_centers;
extern const Command command_add_twist_joint;

#endif
