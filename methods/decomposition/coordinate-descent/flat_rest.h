/* A way out of the plane that a rest pose lies in. There, one column of every affine map is open, and neither
 * step of the descent ever leaves the plane: maps without that column move no vertex off it, and vertices
 * within it say nothing of the column. */
#pragma once

/* Moves vertices first to first + count - 1 of rest [vertex_count][3], which the caller has copied to own
 * [count][3], off the plane by up to a hundredth of the mesh's reach each, the same way every time; where the
 * rest pose lies in none, none. */
void flat_rest_leave(const double *rest, int vertex_count, int first, int count, double *own);
