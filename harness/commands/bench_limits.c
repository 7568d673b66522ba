#include "harness/commands/bench_limits.h"

Status bench_limits_read(const CommandLine *line, double time_budget_s, Bench *bench)
{
    bench->threads = line->threads;
    bench->progress = &line->progress;
    bench->note = output_note_text;
    bench->note_context = (void *)line;
    STATUS_TRY(command_line_integer(line, "frames", 64, 1, 100000, &bench->frames_cap));
    STATUS_TRY(command_line_integer(line, "rounds", 200, 1, 100000, &bench->rounds_cap));
    STATUS_TRY(command_line_real(line, "time-budget", time_budget_s, 0.0, 1e6, &bench->time_budget_s));
    STATUS_TRY(command_line_real(line, "precision", 0.01, 0.0, 1.0, &bench->precision));
    if (command_line_flag(line, "shard"))
        STATUS_TRY(shard_parse(command_line_value(line, "shard"), &bench->shard));
    bench->no_times = command_line_flag(line, "no-times");
    bench->rounds_minimum = int_min(bench->rounds_cap, 15);
    return status_ok();
}
