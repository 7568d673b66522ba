/* Reduces the weights of each vertex to the largest ones, scaled to sum 1. Also quantises weights. */
#include "datasets/model/compact_weights.h"

#include "datasets/model/evaluate.h"

typedef struct Influence {
    int32_t joint;
    double weight;
} Influence;

/* Collects one vertex's influences in descending order, without zeros and duplicates. Returns their
 * number. */
static int influences_gather(const int32_t *joints, const float *values, int slots, Influence *list)
{
    int count = 0;
    for (int k = 0; k < slots; k++) {
        int i = 0;
        while (i < count && list[i].joint != joints[k])
            i++;
        if (i == count)
            list[count++] = (Influence){.joint = joints[k]};
        list[i].weight += values[k];
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        Influence next = list[i];
        if (next.weight == 0.0)
            continue;
        int slot = kept++;
        for (; slot > 0 && (next.weight > list[slot - 1].weight ||
                            (next.weight == list[slot - 1].weight && next.joint < list[slot - 1].joint));
             slot--)
            list[slot] = list[slot - 1];
        list[slot] = next;
    }
    return kept;
}

/* A vertex whose weights have a positive sum keeps at least one weight: the mean of its largest weights is
 * at least the mean of all, and therefore positive. */
Status rig_prune(Rig *rig, int vertex_count, int influences)
{
    if (influences < 1)
        return bad_usage("%d influences per vertex were requested, expected at least 1", influences);
    int slots = rig->influence_count, kept = influences < slots ? influences : slots;
    LOCAL_TABLE(int32_t, joints, vertex_count, kept, "the weights");
    LOCAL_TABLE(float, values, vertex_count, kept, "the weights");
    LOCAL_ARRAY(Influence, list, slots, "the weights");
    for (int v = 0; v < vertex_count; v++) {
        size_t from = (size_t)v * (size_t)slots, to = (size_t)v * (size_t)kept;
        int count = influences_gather(rig->weight_joints + from, rig->weight_values + from, slots, list);
        count = count < kept ? count : kept;
        double sum = 0.0;
        for (int k = 0; k < count; k++)
            sum += list[k].weight;
        while (count > 1 && fabs(list[count - 1].weight) < WEIGHT_NEGLIGIBLE * sum)
            sum -= list[--count].weight;
        if (!(sum > 0.0))
            return bad_input("the weights of vertex %d have the sum %g, expected 1", v, sum);
        for (int k = 0; k < count; k++) {
            joints[to + (size_t)k] = list[k].joint;
            values[to + (size_t)k] = (float)(list[k].weight / sum);
        }
    }
    rig_weights_replace(rig, kept, TAKE(joints), TAKE(values));
    return status_ok();
}

Status skin_distance(const Rig *one, const Rig *other, const Mesh *mesh, const Progress *progress,
                     SkinDistance *out)
{
    double squares = 0.0;
    *out = (SkinDistance){0.0, 0.0, 0, 0};
    for (int f = 0; f < one->frame_count; f++) {
        for (int v = 0; v < mesh->vertex_count; v++) {
            const Vec3 rest = point_at(mesh->rest, v);
            const Vec3 there = rig_skin_point(other, f, v, rest, vec3_make(0.0, 0.0, 0.0));
            const double distance = vec3_length(rig_skin_point(one, f, v, rest, vec3_scale(there, -1.0)));
            squares += distance * distance;
            if (distance > out->max)
                *out = (SkinDistance){distance, 0.0, f, v};
        }
        STATUS_TRY(progress_try(progress, "comparing the frames", (f + 1.0) / one->frame_count, NULL));
    }
    const double count = (double)one->frame_count * mesh->vertex_count;
    out->rms = count > 0.0 ? sqrt(squares / count) : 0.0;
    return status_ok();
}

Status rig_quantise(Rig *rig, const Mesh *mesh, int bits, const Progress *progress, SkinDistance *cost)
{
    const int vertices = mesh->vertex_count, slots = rig->influence_count;
    LOCAL_TABLE(int32_t, joints, vertices, slots, "the weights");
    LOCAL_TABLE(float, values, vertices, slots, "the weights");
    LOCAL_ARRAY(double, remainders, slots, "the weights");
    for (int v = 0; v < vertices; v++) {
        const size_t first = (size_t)v * (size_t)slots;
        double sum = 0.0, min = 0.0;
        for (size_t k = first; k < first + (size_t)slots; k++) {
            sum += (double)rig->weight_values[k];
            min = fmin(min, (double)rig->weight_values[k]);
        }
        if (min < 0.0)
            return bad_input("vertex %d has the weight %g, but negative weights cannot be quantised", v, min);
        if (!(sum > 0.0))
            return bad_input("the weights of vertex %d have the sum %g, expected 1", v, sum);
        /* distribute `units` steps over the values by the method of largest remainders; `sum` is the sum of
         * the values */
        const int units = (1 << bits) - 1;
        float *out = values + first;
        int left = units;
        for (int k = 0; k < slots; k++) {
            const double exact = rig->weight_values[first + (size_t)k] / sum * units, whole = floor(exact);
            remainders[k] = exact - whole;
            out[k] = (float)whole;
            left -= (int)whole;
        }
        for (; left > 0; left--) {
            int max = 0;
            for (int k = 1; k < slots; k++)
                max = remainders[k] > remainders[max] ? k : max;
            out[max] += 1.0f;
            remainders[max] = -1.0;
        }
        for (int k = 0; k < slots; k++)
            out[k] = (float)((double)out[k] / units);
        for (size_t k = first; k < first + (size_t)slots; k++)
            joints[k] = values[k] > 0.0f ? rig->weight_joints[k] : 0;
    }
    if (cost) {
        Rig coded = *rig;
        coded.weight_joints = joints;
        coded.weight_values = values;
        STATUS_TRY(skin_distance(rig, &coded, mesh, progress, cost));
    }
    rig_weights_replace(rig, rig->influence_count, TAKE(joints), TAKE(values));
    return status_ok();
}
