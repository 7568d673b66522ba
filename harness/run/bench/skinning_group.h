/* The skinning cells of one rig, timed together. */
#pragma once

#include "harness/records/record/plans.h"
#include "harness/records/record/subject.h"
#include "harness/run/bench/bench.h"

/* Runs the cells of one rig that belong to the run's shard: binds and verifies each against `reference`,
 * then times all in common rounds. LBS on the same backend and `scalar` of the same method are timed as
 * well, for the ratios. STATUS_STOPPED if the user asked to stop; the journal then keeps the
 * measurements. */
Status skinning_group_run(Bench *bench, const Subject *subject, const SkinningPlan *plans, int count);
