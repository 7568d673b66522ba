/* Loads a data set with a rig, skins its frames by two methods, and prints how far the second result is
 * from the first.
 *
 *   example FILE.h5 METHOD METHOD */
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

/* Skins all frames of the rig by one method into positions [F][N][3]. */
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

/* Measures positions against those of a data set, and prints the metrics. */
static int compare(const SkinbenchArrays *arrays, const float *positions)
{
    double values[METRICS_MOST];
    SkinbenchDataset *target = NULL;
    SkinbenchEntry metric;
    int code = failed(skinbench_dataset_create(arrays, &target));
    if (code == 0)
        code = failed(skinbench_measure_positions(target, positions, arrays->frame_count, 0, values,
                                                  METRICS_MOST, NULL));
    for (int i = 0; code == 0 && i < METRICS_MOST && skinbench_entry(SKINBENCH_METRICS, i, &metric); i++)
        if (!isnan(values[i]))
            printf("%s %.17g\n", metric.name, values[i]);
    skinbench_dataset_free(target);
    return code;
}

int main(int argc, char **argv)
{
    SkinbenchDataset *dataset = NULL;
    int code = argc == 4 ? failed(skinbench_dataset_read(argv[1], &dataset)) : 2;
    SkinbenchArrays arrays = skinbench_dataset_arrays(dataset); /* pointers to the data set's own arrays */
    const size_t values = (size_t)arrays.pose_count * (size_t)arrays.vertex_count * 3;
    float *positions = (float *)calloc(2 * values + 1, sizeof *positions);
    for (int i = 0; code == 0 && i < 2; i++)
        code = positions ? skin(dataset, argv[2 + i], arrays.pose_count, positions + (size_t)i * values) : 5;
    arrays.frame_count = arrays.pose_count;
    arrays.positions = positions;
    arrays.normals = NULL;
    if (code == 0)
        code = compare(&arrays, positions + values);
    skinbench_dataset_free(dataset);
    free(positions);
    return code;
}
