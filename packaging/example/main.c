/* Loads a data set with a rig, skins its frames by two methods and prints how far the second is from the first:
 *   example FILE.h5 [METHOD METHOD] */
#include <skinbench/skinbench.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { METRICS_MOST = 64 };

static int failed(SkinbenchStatus status)
{
    if (status.code != SKINBENCH_OK)
        fprintf(stderr, "example: %s\n", status.text);
    return (int)status.code;
}

/* All frames of the rig by one method into positions [F][N][3]. */
static int skin(const SkinbenchDataset *dataset, const char *method, int frames, float *positions)
{
    SkinbenchSkinOptions options = {0};
    SkinbenchSkinner *skinner = NULL;
    options.method = method;
    int code = failed(skinbench_skinner_create(dataset, &options, &skinner));
    if (code == 0)
        code = failed(skinbench_skin_frames(skinner, 0, frames, positions, NULL));
    skinbench_skinner_free(skinner);
    return code;
}

/* The first method's frames as the target, the second's as the candidate. */
static int compare(const SkinbenchArrays *target, const float *candidate)
{
    double values[METRICS_MOST];
    SkinbenchDataset *dataset = NULL;
    SkinbenchEntry metric;
    int code = failed(skinbench_dataset_create(target, &dataset));
    if (code == 0)
        code = failed(skinbench_measure_positions(dataset, candidate, target->frame_count, 0, values,
                                                  METRICS_MOST, NULL));
    for (int i = 0; code == 0 && i < METRICS_MOST && skinbench_entry(SKINBENCH_METRICS, i, &metric); i++)
        if (!isnan(values[i]))
            printf("%s %.17g\n", metric.name, values[i]);
    skinbench_dataset_free(dataset);
    return code;
}

int main(int argc, char **argv)
{
    SkinbenchDataset *dataset = NULL;
    if (argc != 2 && argc != 4)
        return fprintf(stderr, "usage: example FILE.h5 [METHOD METHOD]\n"), 2;
    int code = failed(skinbench_dataset_read(argv[1], &dataset));
    if (code != 0)
        return code;
    SkinbenchArrays arrays = skinbench_dataset_arrays(dataset); /* the data set's own: nothing is copied */
    const size_t values = (size_t)arrays.pose_count * (size_t)arrays.vertex_count * 3;
    float *first = (float *)calloc(values + 1, sizeof *first),
          *second = (float *)calloc(values + 1, sizeof *second);
    code = first && second ? 0 : 5;
    if (code == 0)
        code = skin(dataset, argc == 4 ? argv[2] : "lbs", arrays.pose_count, first);
    if (code == 0)
        code = skin(dataset, argc == 4 ? argv[3] : "dqs", arrays.pose_count, second);
    arrays.positions = first;
    arrays.normals = NULL;
    arrays.frame_count = arrays.pose_count;
    if (code == 0)
        code = compare(&arrays, second);
    skinbench_dataset_free(dataset);
    free(first);
    free(second);
    return code;
}
