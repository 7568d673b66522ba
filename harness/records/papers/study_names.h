/* Lists the studies that a table may name. X(identifier, name) stands for the function study_IDENTIFIER,
 * which a file in harness/run/studies/ defines. */
#pragma once

#define STUDY_NAMES(X)                                                                                       \
    X(bar_shape, "bar-shape")                                                                                \
    X(blend_identities, "blend-identities")                                                                  \
    X(cached_rotation, "cached-rotation")                                                                    \
    X(center_parameters, "center-parameters")                                                                \
    X(center_search, "center-search")                                                                        \
    X(center_shape, "center-shape")                                                                          \
    X(device_limits, "device-limits")                                                                        \
    X(device_peer, "device-peer")                                                                            \
    X(device_tuning, "device-tuning")                                                                        \
    X(discontinuity, "discontinuity")                                                                        \
    X(fit_normals, "fit-normals")                                                                            \
    X(fit_steps, "fit-steps")                                                                                \
    X(flip, "flip")                                                                                          \
    X(global_motion, "global-motion")                                                                        \
    X(invariance, "invariance")                                                                              \
    X(kernel_instructions, "kernel-instructions")                                                            \
    X(kernel_operations, "kernel-operations")                                                                \
    X(method_distance, "method-distance")                                                                    \
    X(method_size, "method-size")                                                                            \
    X(orthogonality, "orthogonality")                                                                        \
    X(planar_path, "planar-path")                                                                            \
    X(reduction, "reduction")                                                                                \
    X(rig_size, "rig-size")                                                                                  \
    X(rotation_form, "rotation-form")                                                                        \
    X(rotation_path, "rotation-path")                                                                        \
    X(scale_scope, "scale-scope")                                                                            \
    X(screw_bound, "screw-bound")                                                                            \
    X(shape_loss, "shape-loss")                                                                              \
    X(sign_validity, "sign-validity")                                                                        \
    X(skin_shape, "skin-shape")                                                                              \
    X(sparse_transforms, "sparse-transforms")                                                                \
    X(svd_scale, "svd-scale")                                                                                \
    X(truncation, "truncation")                                                                              \
    X(weight_prediction, "weight-prediction")
