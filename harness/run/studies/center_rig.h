/* A rig for studies that compute its centres of rotation repeatedly. Times each computation, and skins a
 * few poses with the resulting centres. */
#pragma once

#include "harness/run/studies/study.h"

enum { CENTER_POSES_MAX = 8 };

typedef struct CenterRig {
    SkinnerOptions options; /* method cor and its options, with the settings of the row */
    const Mesh *mesh;
    Rig rig; /* the rig; its centres are owned, everything else is borrowed */
    int stride;
    bool of_processor; /* whether to measure a search on one thread by the processor time of the thread */
} CenterRig;

/* Opens the study's data set and method. Release with center_rig_clear, also on failure. STATUS_BAD_INPUT
 * if there is no rig. */
Status center_rig_open(const StudyInput *input, CenterRig *out);
void center_rig_clear(CenterRig *search);

/* Computes the centres once; they replace the centres of the rig. *time_s receives the time. counts
 * [SKINNING_COUNTERS_MAX] receives the counters of the method. */
Status center_rig_search(CenterRig *search, const ParameterValues *parameters, int stride, double *counts,
                         double *time_s);

/* Returns the number of terms that a search evaluated, according to its counters; NAN if the search does
 * not count them. */
double center_rig_terms(const CenterRig *search, const double *counts);

/* Returns the number of poses to compare: at most CENTER_POSES_MAX, spread evenly over the frames. */
int center_rig_poses(const Rig *rig);

/* Skins the poses with these centres: positions [poses][N][3]. */
Status center_rig_skin(const CenterRig *search, float *centers, float *positions);
