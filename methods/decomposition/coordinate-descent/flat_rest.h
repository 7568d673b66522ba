/* Moves a planar rest pose off its plane. For a planar rest pose, one column of every affine map is
 * undetermined, and coordinate descent cannot leave this state: maps without the column keep vertices in
 * the plane, and vertices in the plane do not determine the column. */
#pragma once

/* Moves vertices `first` to first + count - 1 off the plane by up to a hundredth of the mesh's size. rest
 * [vertex_count][3] is the whole rest pose; the caller has copied these vertices to own [count][3].
 * Repeated calls give the same displacements. Does nothing if the rest pose is not planar. */
void flat_rest_leave(const double *rest, int vertex_count, int first, int count, double *own);
