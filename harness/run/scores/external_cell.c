/* Runs predictors of rigs and weights as cells of a benchmark. */
#include "harness/run/scores/external_cell.h"

#include "datasets/io/store.h"
#include "datasets/io/temporary_folder.h"
#include "harness/run/identify/identify.h"
#include "harness/run/scores/score_run.h"

/* Scores the predicted rig against the true one, by way of files. */
static Status prediction_score(const Dataset *predicted, const Subject *subject, const Bench *bench,
                               Record *record)
{
    OWNED_BY(temporary_folder_remove) TemporaryFolder *folder = NULL;
    char name[SUBJECT_NAME_BYTES], paths[2][4096];
    const Dataset *rigs[] = {predicted, subject->dataset};
    const ScoreOptions options = {.method = record->cell.method,
                                  .parameters = parameters_default(score_parameters),
                                  .threads = bench->threads};
    STATUS_TRY(temporary_folder_make(temporary_folder_parent(), subject->name, &folder));
    for (int i = 0; i < 2; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%d.h5", temporary_folder_path(folder), i);
        STATUS_TRY(dataset_write(rigs[i], paths[i]));
    }
    snprintf(name, sizeof name, "%s", subject->name);
    const ScorePair pair = {name, paths[0], paths[1]};
    record->status = RECORD_OK;
    return score_pairs(&pair, 1, &options, bench->progress, record);
}

/* Measures how far the skin is from each method, in % of the diagonal, at the method's nearest variant. */
static Status skin_compare(const Dataset *skinned, const Subject *subject, const Bench *bench, Record *record)
{
    OWNED Identification *found = NULL;
    char text[256];
    const IdentifyTask task = {.rig = subject->dataset,
                               .positions = skinned->animation.positions,
                               .threads = bench->threads,
                               .progress = bench->progress};
    ALLOCATE(found, 1, "the distances to the methods");
    STATUS_TRY(identify_run(&task, found));
    for (int m = 0; m < skinning_entry_count(); m++) {
        double least = INFINITY;
        for (int i = 0; i < found->count; i++)
            if (found->variants[i].entry == skinning_entry_at(m))
                least = fmin(least, found->variants[i].max);
        if (least < INFINITY)
            measures_add(&record->measures, skinning_entry_at(m)->method->name, 100.0 * least);
    }
    identify_variant_format(&found->variants[0], text, sizeof text);
    bench_note(bench, "%s on %s is %s to %s: largest distance %.3g of the diagonal", record->cell.method,
               subject->name, found->matches > 0 ? "equal" : "nearest", text, found->variants[0].max);
    record->status = RECORD_OK;
    return measures_status(&record->measures);
}

static Status external_cell_run(const void *context, const Subject *subject, const Bench *bench,
                                Record *record)
{
    External *program = externals_find(&bench->externals, context);
    const Rig *truth = &subject->dataset->rig;
    OWNED_BY(dataset_free) Dataset *made = NULL;
    const ExternalTask task = {.data = subject->dataset,
                               .bones = EXTERNAL_BONES_MAX,
                               .influences = int_max(truth->influence_count, 4),
                               .threads = bench->threads,
                               .seed = 1,
                               .progress = bench->progress};
    const Status status = external_run(program, &task, &made);
    if (status.code == STATUS_STOPPED || status.code == STATUS_SYSTEM)
        return status;
    STATUS_TRY(external_facts_copy(program, record));
    if (status.code != STATUS_OK) {
        record_fail(record, RECORD_FAILED, status.text);
        return status_ok();
    }
    return program->kind == EXTERNAL_SKIN ? skin_compare(made, subject, bench, record)
                                          : prediction_score(made, subject, bench, record);
}

Status external_cell_task(External *program, const Subject *subject, BenchTask *out)
{
    const ParameterValues defaults = parameters_default(score_parameters);
    *out = (BenchTask){.run = external_cell_run,
                       .context = program->name,
                       .cell = {.kind = CELL_SCORE,
                                .backend = CELL_BACKEND_EXTERNAL,
                                .threads = 0,
                                .dataset = subject_cell_dataset(subject)}};
    snprintf(out->cell.method, sizeof out->cell.method, "%s", program->name);
    if (program->kind == EXTERNAL_SKIN) {
        out->cell.kind = CELL_STUDY;
        snprintf(out->cell.study, sizeof out->cell.study, "external-skin");
        return status_ok();
    }
    text_escape(out->cell.row, sizeof out->cell.row, subject->name);
    return arguments_of(score_parameters, &defaults, &out->cell.parameters);
}
