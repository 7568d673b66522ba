/* What `fit --method helper-joints` runs: it starts from a rig, where decompositions start from an animation.
 */
#pragma once

#include "harness/commands/command_line.h"

Status helper_joints_run(const CommandLine *line);
