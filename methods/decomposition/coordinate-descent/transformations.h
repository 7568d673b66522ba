/* Solves for the bone transformations given rest pose and weights (FESAM section 4.2). */
#pragma once

#include "methods/decomposition/coordinate-descent/reduced_model.h"

/* Solves Tr X X^T = C X^T for model->transforms by Cholesky. If X X^T is singular, uses its pseudoinverse
 * and increases model->singular_systems. Also updates model->gram. *squared_error receives ||Tr X - C||^2
 * at this minimum. If bones are rigid, improves their motions instead (rigid_bones.h). */
Status transformations_solve(ReducedModel *model, double *squared_error);

/* Computes G = Tr^T Tr after the transformations have changed. For rigid bones, first derives the
 * transformations from the motions. */
void transformations_update_gram(ReducedModel *model);
