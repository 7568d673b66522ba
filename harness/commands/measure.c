/* skinbench measure TARGET CANDIDATE: how far a candidate is from its target. */
#include "harness/commands/commands.h"

#include "harness/metrics/frame_source.h"
#include "harness/records/json_table.h"
#include "harness/records/record_json.h"
#include <math.h>
#include <stdio.h>

static Status measure_print_json(const FrameSource *target, const FrameSource *candidate,
                                 const Metrics *metrics)
{
    Measures measures = {0};
    measures_add_metrics(&measures, metrics, true);
    Status status = measures_status(&measures);
    if (status.code == STATUS_OK)
        status = output_json(
            json_pack("{s:o, s:o, s:s, s:i, s:i, s:o}", "target", json_text(frame_source_name(target)),
                      "candidate", json_text(frame_source_name(candidate)), "origin",
                      frame_origin_name(frame_source_origin(candidate)), "frames", metrics->frame_count,
                      "vertices", metrics->vertex_count, "metrics", measures_to_json(&measures)));
    measures_clear(&measures);
    return status;
}

static void measure_print_text(const FrameSource *candidate, const Metrics *metrics)
{
    int count = 0;
    const Metric *rows = metric_rows(&count);
    printf("%d frames of %d vertices, the candidate's from its %s\n", metrics->frame_count,
           metrics->vertex_count, frame_origin_name(frame_source_origin(candidate)));
    for (int i = 0; i < count; i++) {
        double value = metric_value(&rows[i], metrics);
        if (isnan(value))
            printf("  %-28s none\n", rows[i].title);
        else
            printf("  %-28s %.6g%s%s\n", rows[i].title, value, rows[i].unit[0] ? " " : "", rows[i].unit);
    }
}

static Status measure_run(const CommandLine *line)
{
    FrameSource *target = NULL, *candidate = NULL;
    Metrics metrics = {0}, none;
    const int threads = command_line_threads(line);
    const Progress *progress = command_line_progress(line);
    Status status;
    STATUS_TRY(frame_source_open(command_line_argument(line, 0), threads, progress, &target));
    STATUS_TRY(frame_source_open(command_line_argument(line, 1), threads, progress, &candidate));
    STATUS_TRY(frame_sources_measure_apart(target, candidate, 0, progress, &metrics, &none));
    if (command_line_json(line))
        status = measure_print_json(target, candidate, &metrics);
    else
        measure_print_text(candidate, &metrics);
done:
    metrics_clear(&metrics);
    frame_source_close(target);
    frame_source_close(candidate);
    return status;
}

const Command command_measure = {
    .name = "measure",
    .synopsis = "TARGET CANDIDATE",
    .summary = "measure how far a candidate animation, rig or low-rank model is from its target",
    .arguments = {2, 2},
    .run = measure_run,
};
