/* Transfers weights from one mesh to another that lies over it, such as a garment or a remeshed copy. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/model/dataset.h"

extern const Parameter transfer_parameters[]; /* one row for each member of TransferParameter */

typedef struct TransferCounts {
    int matched;   /* vertices with the weights of the closest point */
    int inpainted; /* vertices whose weights were solved for */
    int unmatched; /* vertices of pieces without any match, which have the weights of the closest point */
} TransferCounts;

/* Replaces the rig of `to` by the joints and frames of `from`, with weights for the mesh of `to`. A vertex
 * gets at most `influences` weights. `parameters` are values of transfer_parameters. STATUS_BAD_INPUT if
 * `from` has no triangles or no weights. On failure `to` is unchanged. */
Status weights_transfer(const Dataset *from, const double *parameters, int influences,
                        const Progress *progress, Dataset *to, TransferCounts *counts);
