/* Writes the environments of a report's runs: one line with the most important facts, and the other facts
 * below it, hidden until a reader unfolds them. */
#include "harness/show/report/report_parts.h"

static void member_write(const ReportPage *report, const char *name, const char *value)
{
    const char *text = value[0] ? value : "none";
    markdown_print(report->page, "  - %s: %s\n", name, text);
    html_print(report->html, "<dt>%s</dt><dd>%s</dd>\n", name, text);
}

static void environment_write(const ReportPage *report, const EnvironmentRecord *record)
{
    const Environment *environment = &record->environment;
    char run[RUN_BYTES + sizeof ": commit " + 12], rest[128];
    snprintf(run, sizeof run, "%s: commit %.12s", record->run, environment->commit);
    snprintf(rest, sizeof rest, "%s, %d threads", environment->dirty ? " with uncommitted changes" : "",
             environment->threads);
    if (record->bandwidth.one_thread > 0.0) /* the bandwidth is 0 if nothing was timed */
        text_append(rest, sizeof rest, ", memory %.1f GB/s on one thread and %.1f GB/s on all threads",
                    1e-9 * record->bandwidth.one_thread, 1e-9 * record->bandwidth.all_threads);
    markdown_print(report->page, "- run %s%s\n", run, rest);
    html_print(report->html, "<details><summary>%s; run %s%s</summary>\n<dl>\n",
               environment->cpu_model[0] ? environment->cpu_model : "an unknown processor", run, rest);
    member_write(report, "processor", environment->cpu_model);
    member_write(report, "compiler", environment->compiler);
    member_write(report, "flags", environment->flags);
    member_write(report, "build", environment->build_type);
    member_write(report, "governor", environment->governor);
    for (int i = 0; i < BACKEND_COUNT; i++)
        if (backend_at(i)->is_device)
            member_write(report, backend_at(i)->label, environment->devices[i]);
    member_write(report, "driver", environment->nvidia_driver);
    member_write(report, "HDF5", environment->hdf5);
    member_write(report, "OpenBLAS", environment->openblas);
    member_write(report, "hash", environment->hash);
    html_print(report->html, "</dl></details>\n");
}

/* Lists each environment once. Two runs on the same machine from the same commit share one entry. */
Status machine_write(ReportPage *report)
{
    int count = 0;
    const EnvironmentRecord *records = record_store_environments(report->records->store, &count);
    const char *machine = report->records->machine;
    for (int i = 0; i < count; i++) {
        bool wanted = !machine || strcmp(records[i].environment.machine, machine) == 0;
        const Environment *entry = &records[i].environment;
        for (int k = 0; k < i && wanted; k++) {
            const Environment *other = &records[k].environment;
            wanted = strcmp(entry->hash, other->hash) != 0 || strcmp(entry->version, other->version) != 0 ||
                     strcmp(entry->commit, other->commit) != 0 || entry->dirty != other->dirty;
        }
        if (wanted)
            environment_write(report, &records[i]);
    }
    markdown_print(report->page, "\n");
    return status_ok();
}
