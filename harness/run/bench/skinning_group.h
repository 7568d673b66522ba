/* The skinning cells of one rig, timed together. */
#pragma once

#include "harness/records/record/plans.h"
#include "harness/records/record/subject.h"
#include "harness/run/bench/bench.h"

/* Runs the cells of one rig that fall on the run's shard: binds and verifies each against `reference`, then
 * times all in common rounds. LBS on the same backend and `scalar` of the same method are timed too, for the
 * ratios. STATUS_STOPPED when the user asked for a stop; the journal then keeps what was measured. */
Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count);
