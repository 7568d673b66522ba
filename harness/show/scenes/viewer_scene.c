/* Measures a scene before it is written: the errors, the end of their common scale, and the frame and
 * vertex of the largest error. */
#include "harness/show/scenes/viewer_scene.h"

#include "harness/measure/metrics/surface.h"
#include "harness/show/render/color_map.h"

void viewer_scene_clear(ViewerScene *scene)
{
    for (int i = 0; i < scene->shape_count; i++) {
        FREE_ALL(scene->shapes[i].positions, scene->shapes[i].errors);
    }
    scene->shape_count = 0;
}

Status viewer_shape_measure(ViewerScene *scene, ViewerShape *shape, const float *target, double diagonal)
{
    const size_t points = (size_t)scene->frame_count * (size_t)scene->mesh->vertex_count;
    ALLOCATE(shape->errors, points, "the errors of a scene");
    for (size_t i = 0; i < points; i++) {
        const Vec3 apart = vec3_sub(point_at(shape->positions, (ptrdiff_t)i), point_at(target, (ptrdiff_t)i));
        shape->errors[i] = (float)(100.0 * vec3_length(apart) / diagonal);
    }
    return status_ok();
}

Status viewer_shape_measure_area(ViewerScene *scene, ViewerShape *shape)
{
    const size_t vertices = (size_t)scene->mesh->vertex_count;
    ALLOCATE_TABLE(shape->errors, scene->frame_count, vertices, "the areas of a scene");
    for (size_t f = 0; f < (size_t)scene->frame_count; f++)
        STATUS_TRY(area_changes(scene->mesh, shape->positions + 3 * f * vertices, 100.0,
                                shape->errors + f * vertices));
    return status_ok();
}

void viewer_scene_survey(ViewerScene *scene)
{
    const size_t vertices = (size_t)scene->mesh->vertex_count;
    ErrorRange range = {.total = 0};
    double worst = -1.0;
    for (int i = 0; i < scene->shape_count; i++)
        for (int f = 0; f < scene->frame_count && scene->shapes[i].errors; f++) {
            const float *errors = scene->shapes[i].errors + (size_t)f * vertices;
            double sum = 0.0;
            for (size_t v = 0; v < vertices; v++) {
                error_range_add(&range, fabs((double)errors[v]));
                sum += (double)errors[v] * (double)errors[v];
            }
            scene->worst_frame = sum > worst ? f : scene->worst_frame;
            worst = fmax(sum, worst);
        }
    scene->error_maximum = error_range_end(&range);
}

ViewerWorst viewer_shape_worst(const ViewerScene *scene, const ViewerShape *shape)
{
    const size_t vertices = (size_t)scene->mesh->vertex_count;
    const size_t points = (size_t)scene->frame_count * vertices;
    size_t worst = 0;
    for (size_t i = 1; i < points; i++)
        worst = fabsf(shape->errors[i]) > fabsf(shape->errors[worst]) ? i : worst;
    return (ViewerWorst){(int)(worst / vertices), (int)(worst % vertices), (double)shape->errors[worst]};
}
