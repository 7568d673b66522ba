/* Moves a planar rest pose off its plane. In a plane one column of every affine map is undetermined, and
 * coordinate descent never leaves it: maps without that column keep vertices in the plane, and vertices in
 * the plane do not determine the column. */
#pragma once

/* Moves vertices first to first + count - 1 of rest [vertex_count][3], which the caller has copied to own
 * [count][3], off the plane by up to a hundredth of the mesh's size. The displacements are always the same.
 * Does nothing if the rest pose is not planar. */
void flat_rest_leave(const double *rest, int vertex_count, int first, int count, double *own);
