/* Measures how little centres of rotation depend on their parameters (CoR section 4). One or several
 * parameters are multiplied by powers of a factor, and the skin is compared with the skin for the unchanged
 * settings. Each vertex counts in the pose that moves it most. Changes are in % of the bounding box's
 * diagonal.
 *
 *   parameters
 *     vary     names of the parameters of cor that are varied
 *     set      settings from which they are varied
 *     factor   2 by default
 *     reach    largest exponent of the factor: 2 (default), or 1 to leave out the two slow outer steps
 *     inside   side on which the paper states no change: "down", "up" or "neither"
 *   measures at each step NAME: down2, down, up and up2, for the exponents -2, -1, 1 and 2
 *     skin_max_percent_NAME, skin_p99_percent_NAME
 *              maximum and 99th percentile of the changes of the vertices
 *     terms_NAME, time_s_NAME
 *              number of terms that the search evaluated, and its time
 *   measures of both sides
 *     inside_max_percent    larger change of the two steps on the inside
 *     outside_max_percent   larger change of the other two steps
 *   curves over the factors */
#include "harness/run/studies/center_rig.h"

#include "harness/measure/timing/statistics.h"

enum { STEPS = 5, MIDDLE = 2 };
static const char *const step_names[STEPS] = {"down2", "down", "same", "up", "up2"};

typedef struct Sweep {
    double factors[STEPS], skin_max[STEPS], skin_p99[STEPS], times[STEPS], terms[STEPS];
} Sweep;

static void sweep_report(const StudyInput *input, const Sweep *sweep, Measures *measures)
{
    const char *inside = study_text(input, "inside", "down");
    const bool up = strcmp(inside, "up") == 0, neither = strcmp(inside, "neither") == 0;
    /* largest change of the skin, first for smaller and then for larger values of the parameters */
    double max[2] = {0.0, 0.0};
    for (int i = 0; i < STEPS; i++) {
        char time_name[MEASURE_NAME_BYTES];
        if (i != MIDDLE && !isnan(sweep->skin_max[i]))
            max[i > MIDDLE] = fmax(max[i > MIDDLE], sweep->skin_max[i]);
        study_number_add(measures, sweep->skin_max[i], "skin_max_percent_%s", step_names[i]);
        study_number_add(measures, sweep->skin_p99[i], "skin_p99_percent_%s", step_names[i]);
        study_number_add(measures, sweep->terms[i], "terms_%s", step_names[i]);
        snprintf(time_name, sizeof time_name, "time_s_%s", step_names[i]);
        measures_add_timed(measures, time_name, sweep->times[i]);
    }
    measures_add(measures, "inside_max_percent", neither ? NAN : max[up]);
    measures_add(measures, "outside_max_percent", neither ? fmax(max[0], max[1]) : max[!up]);
    measures_add_curve(measures, "factor", sweep->factors, STEPS);
    measures_add_curve(measures, "step", (const double[STEPS]){-2.0, -1.0, 0.0, 1.0, 2.0}, STEPS);
    measures_add_curve(measures, "skin_max_percent", sweep->skin_max, STEPS);
    measures_add_curve(measures, "skin_p99_percent", sweep->skin_p99, STEPS);
}

Status study_center_parameters(const StudyInput *input, Measures *measures)
{
    static const int order[STEPS] = {MIDDLE, 0, 1, 3, 4};
    const double factor = study_number(input, "factor", 2.0);
    CLEANUP(center_rig_clear) CenterRig rig = {.mesh = NULL};
    Sweep sweep;
    ParameterValues values;
    STATUS_TRY(center_rig_open(input, &rig));
    const size_t vertices = (size_t)rig.mesh->vertex_count;
    const int poses = center_rig_poses(&rig.rig);
    if (vertices == 0 || poses == 0)
        return bad_input("there is no rig with transforms to skin with");
    const double diagonal = bounds_of(rig.mesh->rest, rig.mesh->vertex_count).diagonal;
    LOCAL_TABLE(float, middle, poses, 3 * vertices, "the skins that a study compares");
    LOCAL_TABLE(float, varied, poses, 3 * vertices, "the skins that a study compares");
    LOCAL_ARRAY(double, max, vertices, "the skins that a study compares");
    for (int i = 0; i < STEPS; i++) {
        const int step = order[i];
        float *skin = i > 0 ? varied : middle;
        sweep.factors[step] = pow(factor, step - MIDDLE);
        sweep.skin_max[step] = sweep.skin_p99[step] = sweep.times[step] = sweep.terms[step] = NAN;
        if (abs(step - MIDDLE) > study_number(input, "reach", 2.0))
            continue;
        if (!progress_report(input->progress, input->subject->name, (double)i / STEPS))
            return status_make(STATUS_STOPPED, "stopped; the same command resumes from here");
        /* multiply the parameters named by `vary` */
        const Argument *names = argument_find(input->parameters, "vary");
        values = rig.options.parameters;
        for (int k = 0; k < argument_count(names); k++) {
            const char *name = argument_text(argument_at(names, k), "");
            const Parameter *rows = rig.options.entry->method->parameters;
            int row = 0;
            while (rows[row].name && strcmp(rows[row].name, name) != 0)
                row++;
            if (!rows[row].name || rows[row].type != PARAMETER_REAL)
                return bad_usage("cor has no numeric parameter '%s' to vary", name);
            values.values[row] *= sweep.factors[step];
        }
        if (argument_count(names) == 0)
            return bad_usage("there is nothing to vary");
        /* skin all poses with the centres that these parameters give */
        double counts[SKINNING_COUNTERS_MAX];
        STATUS_TRY(center_rig_search(&rig, &values, 1, counts, &sweep.times[step]));
        sweep.terms[step] = center_rig_terms(&rig, counts);
        STATUS_TRY(center_rig_skin(&rig, rig.rig.centers, skin));
        center_rig_clear(&rig);
        /* max [N]: for each vertex, its largest change over the poses */
        for (size_t v = 0; v < vertices; v++)
            max[v] = 0.0;
        for (size_t m = 0; m < (size_t)poses * vertices; m++) {
            const Vec3 apart = vec3_sub(point_at(middle, (ptrdiff_t)m), point_at(skin, (ptrdiff_t)m));
            max[m % vertices] = fmax(max[m % vertices], vec3_length(apart));
        }
        values_sort(max, vertices);
        sweep.skin_max[step] = 100.0 * max[vertices - 1] / diagonal;
        sweep.skin_p99[step] = 100.0 * quantile_of_sorted(max, vertices, 0.99) / diagonal;
    }
    sweep_report(input, &sweep, measures);
    return status_ok();
}
