/* A rig whose centres of rotation are computed again and again, for studies of that: timed, and the skins
 * that the centres make of a few poses. */
#pragma once

#include "harness/run/studies/study.h"

enum { CENTER_POSES_MAX = 8 };

typedef struct CenterRig {
    SkinnerOptions options; /* of the method cor, with the row's `set` */
    const Mesh *mesh;
    Rig rig; /* borrowed but for its centres */
    int stride;
    bool of_processor; /* searches of one thread are timed by its processor time */
} CenterRig;

/* The study's data set and method. Release with center_rig_clear, on failure too. STATUS_BAD_INPUT where
 * there is no rig. */
Status center_rig_open(const StudyInput *input, CenterRig *out);
void center_rig_clear(CenterRig *search);
DEFINE_OWNED_BY(CenterRig, center_rig_clear)

/* One search; its centres replace those of the rig. counts [SKINNING_COUNTERS_MAX] */
Status center_rig_search(CenterRig *search, const ParameterValues *parameters, int stride, double *counts,
                         double *time_s);

/* The terms that a search looked at, by its counts; NAN: it does not count them. */
double center_rig_terms(const CenterRig *search, const double *counts);

/* The poses that are compared: CENTER_POSES_MAX, spread over the frames. */
int center_rig_poses(const Rig *rig);

/* Skins the poses with these centres: positions [poses][N][3]. */
Status center_rig_skin(const CenterRig *search, float *centers, float *positions);
