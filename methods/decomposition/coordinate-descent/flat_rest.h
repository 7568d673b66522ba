/* Moves a planar rest pose off its plane. If the rest pose is planar, one column of every affine map is
 * undetermined. Coordinate descent would never change that: while the column is zero, vertices stay in the
 * plane, and while vertices stay in the plane, they do not determine the column. */
#pragma once

/* Moves vertices `first` to first + count - 1 off the plane by up to a hundredth of the mesh's size. rest
 * [vertex_count][3] is the whole rest pose. On entry, positions [count][3] holds the positions of these
 * vertices; on return it holds the displaced ones. Repeated calls give the same displacements. Does nothing
 * if the rest pose is not planar. */
void flat_rest_leave(const double *rest, int vertex_count, int first, int count, double *positions);
