/* The shapes of a scene, made again as their records say. */
#pragma once

#include "datasets/base/progress.h"
#include "harness/records/record/record.h"
#include "harness/records/record/subject.h"
#include "harness/show/scenes/viewer_scene.h"

/* All of these fill `positions` of a shape in: every scene->frame_step-th frame, scene->frame_count of them. */

/* The data set's own. */
Status scene_shape_copy(const ViewerScene *scene, const Subject *subject, ViewerShape *shape);

/* Skinned by the record's method and parameters, on the backend that `skin` takes unless it is asked for another. */
Status scene_shape_skin(const ViewerScene *scene, const Subject *subject, const Cell *cell, int threads,
                        ViewerShape *shape);

/* Fitted with the record's method and parameters; of a search, with the bones that it found. *e_rms: of all frames. */
Status scene_shape_fit(const ViewerScene *scene, const Subject *subject, const Record *record,
                       const Progress *progress, ViewerShape *shape, double *e_rms);
