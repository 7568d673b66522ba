/* Samples an animation: takes evenly spaced vertices and frames, and makes a coarse mesh of the sampled
 * vertices. */
#include "harness/run/fit/fit_sample.h"

/* The sample has an eighth of the vertices and a quarter of the frames, within these bounds. */
enum { VERTICES_MIN = 1024, VERTICES_MAX = 4096, FRAMES_MIN = 16, FRAMES_MAX = 48, RINGS_MAX = 64 };

/* Assigns each vertex to the sampled vertex that is nearest along edges. Makes a coarse triangle of each
 * triangle whose corners are assigned to three different sampled vertices. */
static Status triangles_sample(const Mesh *mesh, FitSample *sample)
{
    Mesh *coarse = &sample->data.mesh;
    LOCAL_ARRAY(int32_t, nearest, mesh->vertex_count, "the sampled vertices and frames of a test fit");
    LOCAL_ARRAY(int32_t, ring, mesh->vertex_count,
                "the sampled vertices and frames of a test fit"); /* number of edges to the nearest sampled
                                                                     vertex, plus 1; 0 if not reached */
    ALLOCATE_TABLE(coarse->triangles, mesh->triangle_count, 3,
                   "the sampled vertices and frames of a test fit");
    for (int32_t i = 0; i < coarse->vertex_count; i++) {
        nearest[sample->vertices[i]] = i;
        ring[sample->vertices[i]] = 1;
    }
    bool grown = coarse->vertex_count < mesh->vertex_count;
    for (int32_t r = 1; grown && r < RINGS_MAX; r++) {
        grown = false;
        for (int64_t corner = 0; corner < 3 * (int64_t)mesh->triangle_count; corner++) {
            const int32_t from = mesh->triangles[corner];
            const int32_t end = mesh->triangles[corner % 3 < 2 ? corner + 1 : corner - 2];
            if (ring[from] == r && ring[end] == 0) {
                ring[end] = r + 1;
                nearest[end] = nearest[from];
                grown = true;
            }
        }
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int32_t *corners = mesh->triangles + 3 * (ptrdiff_t)t;
        const int32_t a = nearest[corners[0]], b = nearest[corners[1]], c = nearest[corners[2]];
        if (ring[corners[0]] == 0 || ring[corners[1]] == 0 || ring[corners[2]] == 0 || a == b || b == c ||
            c == a)
            continue;
        int32_t *out = coarse->triangles + 3 * (ptrdiff_t)coarse->triangle_count++;
        out[0] = a;
        out[1] = b;
        out[2] = c;
    }
    return status_ok();
}

Status fit_sample_make(const FitTask *task, FitSample *sample)
{
    const Mesh *mesh = task->mesh;
    const int all = mesh->vertex_count, all_frames = task->animation->frame_count;
    const int count = int_min(all, int_min(int_max(all / 8, VERTICES_MIN), VERTICES_MAX));
    const int frames = int_min(all_frames, int_min(int_max(all_frames / 4, FRAMES_MIN), FRAMES_MAX));
    *sample = (FitSample){.data.mesh.vertex_count = count};
    if (count == 0 || frames == 0)
        return status_ok();
    LOCAL_TABLE(float, positions, all, 3, "the sampled vertices and frames of a test fit");
    ALLOCATE_TABLE(sample->data.mesh.rest, count, 3, "the sampled vertices and frames of a test fit");
    ALLOCATE(sample->vertices, count, "the sampled vertices and frames of a test fit");
    ALLOCATE(sample->frames, frames, "the sampled vertices and frames of a test fit");
    STATUS_TRY(animation_allocate(&sample->data.animation, frames, count, 0));
    for (int i = 0; i < count; i++) {
        sample->vertices[i] = (int32_t)((int64_t)i * all / count);
        memcpy(sample->data.mesh.rest + 3 * (ptrdiff_t)i, mesh->rest + 3 * (ptrdiff_t)sample->vertices[i],
               3 * sizeof(float));
    }
    for (int f = 0; f < frames; f++) {
        sample->frames[f] = (int32_t)((int64_t)f * (all_frames - 1) / int_max(frames - 1, 1));
        STATUS_TRY(decomposition_frame(task->ranks, task->animation, all, sample->frames[f], positions));
        float *target = sample->data.animation.positions + 3 * (ptrdiff_t)f * count;
        for (int i = 0; i < count; i++)
            memcpy(target + 3 * (ptrdiff_t)i, positions + 3 * (ptrdiff_t)sample->vertices[i],
                   3 * sizeof(float));
    }
    return triangles_sample(mesh, sample);
}

void fit_sample_clear(FitSample *sample)
{
    mesh_clear(&sample->data.mesh);
    animation_clear(&sample->data.animation);
    FREE_ALL(sample->vertices, sample->frames);
    *sample = (FitSample){.vertices = NULL};
}

Status fit_sample_notes(const FitTask *task, FitSample *sample, char notes[FIT_NOTES_BYTES])
{
    notes[0] = '\0';
    for (const CheckRow *row = check_rest_rows; row->code && sample->data.mesh.rest; row++) {
        CheckFinding finding;
        STATUS_TRY(check_row_run(row, &sample->data, false, &finding));
        if (finding.count > 0)
            text_append(notes, FIT_NOTES_BYTES, "%s%s: %s", notes[0] ? "\n" : "", task->name, finding.text);
        if (finding.count > 0 && row->severity > CHECK_NOTE && !sample->doubt[0])
            memcpy(sample->doubt, finding.text, sizeof sample->doubt);
    }
    return status_ok();
}
