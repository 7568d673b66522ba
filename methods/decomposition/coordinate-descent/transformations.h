/* The bone transformations under a given rest pose and weights (FESAM section 4.2). */
#pragma once

#include "methods/decomposition/coordinate-descent/reduced_model.h"

/* Solves Tr X X^T = C X^T for model->transforms by Cholesky; X X^T and C X^T are summed over the non-zeros
 * of X alone. A singular X X^T falls back to its pseudoinverse and is counted. Updates model->gram.
 * *squared_error: ||Tr X - C||^2 at this minimum. Rigid bones are
 * improved instead (rigid_bones.h). */
Status transformations_solve(ReducedModel *model, double *squared_error);

/* G = Tr^T Tr, after the transformations have changed; of rigid bones transforms too, from the motions. */
void transformations_update_gram(ReducedModel *model);
