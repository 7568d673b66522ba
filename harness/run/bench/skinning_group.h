/* The skinning cells of one rig, timed together. */
#pragma once

#include "harness/records/record/plans.h"
#include "harness/records/record/subject.h"
#include "harness/run/bench/bench.h"

/* Runs the cells of one rig that belong to the run's shard. Binds each cell and verifies it against backend
 * `reference`, then times all cells in common rounds. LBS on the same backend, and the same method on
 * `scalar`, are timed as well, for the ratios. STATUS_STOPPED if the user asked to stop; the measurements
 * are then in the journal. */
Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count);
