/* skinbench measure TARGET CANDIDATE [--per-vertex OUT]: measures how far a candidate is from its
 * target. */
#include "harness/commands/commands.h"

#include "harness/measure/metrics/distance_file.h"
#include "harness/records/files/record_json.h"

const CommandOption measure_options[] = {
    {"per-vertex", "OUT", "write the distance of every vertex in every frame: OUT.npy, OUT.csv or OUT.h5"},
    {NULL, NULL, NULL},
};

Status measure_run(const CommandLine *line)
{
    const char *names[] = {command_line_argument(line, 0), command_line_argument(line, 1)};
    const char *output = command_line_value(line, "per-vertex");
    OWNED_BY(frame_source_close) FrameSource *target = NULL, *candidate = NULL;
    OWNED_BY(distance_file_close) DistanceFile *distances = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    OWNED_BY(free) char *json = NULL;
    const int threads = line->threads;
    const Progress *progress = &line->progress;
    const Ranks *ranks = &line->launch.ranks;
    if (output && ranks_are_many(ranks))
        return bad_usage("--per-vertex does not work with several processes (mpirun)");
    /* measure */
    if (output)
        STATUS_TRY(distance_file_open(output, names[0], names[1], &distances));
    STATUS_TRY(frame_source_open(names[0], threads, progress, &target));
    target->ranks = ranks;
    target->further = true;
    STATUS_TRY(frame_source_open(names[1], threads, progress, &candidate));
    STATUS_TRY(
        frame_sources_measure_each(target, candidate, progress, distance_file_sink(distances), &metrics));
    /* prepare the printed output before the file gets its final name, because memory may run out */
    if (line->json) {
        CLEANUP(measures_clear) Measures measures = {0};
        measures_add_metrics(&measures, &metrics, true);
        STATUS_TRY(measures_status(&measures));
        STATUS_TRY(output_json_line(
            json_pack("{s:o, s:o, s:s, s:i, s:i, s:o}", "target", json_text(target->name), "candidate",
                      json_text(candidate->name), "origin", frame_origin_name(candidate->origin), "frames",
                      metrics.frame_count, "vertices", metrics.vertex_count, "metrics",
                      measures_to_json(&measures)),
            &json));
    }
    if (distances)
        STATUS_TRY(distance_file_commit(distances));
    if (!ranks_is_first(ranks))
        return status_ok();
    if (json)
        puts(json);
    else {
        int count = 0;
        const Metric *rows = metric_rows(&count);
        terminal_print("%d frames of %d vertices; the candidate's frames come from its %s\n",
                       metrics.frame_count, metrics.vertex_count, frame_origin_name(candidate->origin));
        for (int i = 0; i < count; i++) {
            double value = metric_value(&rows[i], &metrics);
            if (isnan(value))
                terminal_print("  %-28s none\n", rows[i].title);
            else
                terminal_print("  %-28s %.6g%s%s\n", rows[i].title, value, rows[i].unit[0] ? " " : "",
                               rows[i].unit);
        }
    }
    return status_ok();
}
