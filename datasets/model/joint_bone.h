/* The bones of a rig, as its rest frames have them. */
#pragma once

#include "datasets/model/dataset.h"

/* Where a joint turns, at rest, and its bone's other end: the middle of its children, else as far beyond it
 * as its parent is before it. False: the rig has no rest frames, or there is no bone. */
bool joint_bone(const Rig *rig, int joint, Vec3 *from, Vec3 *to);
