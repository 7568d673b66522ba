/* Runs the rows of the checks and collects their findings. */
#include "datasets/model/check.h"

#include <assert.h>

const CheckRow *check_row(int index)
{
    static const CheckRow *const tables[] = {check_mesh_rows, check_rig_rows, check_animation_rows,
                                             check_rest_rows};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        for (const CheckRow *row = tables[i]; row->code; row++)
            if (index-- == 0)
                return row;
    return NULL;
}

Status dataset_check(const Dataset *dataset, CheckReport *report)
{
    *report = (CheckReport){.finding_count = 0};
    int *const counts[] = {&report->note_count, &report->warning_count, &report->error_count};
    const CheckRow *row;
    for (int i = 0; (row = check_row(i)) != NULL; i++) {
        CheckFinding finding;
        STATUS_TRY(check_row_run(row, dataset, false, &finding));
        if (finding.count == 0)
            continue;
        assert(report->finding_count < CHECK_ROWS_MAX);
        report->findings[report->finding_count++] = finding;
        ++*counts[finding.severity];
    }
    return status_ok();
}

Status dataset_check_row(const Dataset *dataset, const char *code, CheckFinding *finding)
{
    int index = 0;
    while (strcmp(check_row(index)->code, code) != 0)
        index++;
    return check_row_run(check_row(index), dataset, false, finding);
}

Status weight_sums_check(const Mesh *mesh, const Rig *rig)
{
    CheckFinding finding;
    STATUS_TRY(dataset_check_row(&(Dataset){.mesh = *mesh, .rig = *rig}, "weight-sum", &finding));
    return finding.count > 0 ? bad_input("%s", finding.text) : status_ok();
}
