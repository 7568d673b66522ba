/* The Hungarian method by shortest augmenting paths (Jonker and Volgenant 1987). Each member of the smaller
 * set is added in turn, along the path whose costs, reduced by the potentials u and v, are least. */
#include "harness/measure/score/assignment.h"

Status assignment_find(const double *costs, int rows, int columns, int32_t *column_of)
{
    const bool turned = rows > columns;
    const int few = int_min(rows, columns), many = int_max(rows, columns);
    const ptrdiff_t few_step = turned ? 1 : columns, many_step = turned ? columns : 1;
    /* place 0 stands for no partner; members are counted from 1 */
    LOCAL_TABLE(double, values, (size_t)many + 1, 3, "the pairs of joints");
    LOCAL_TABLE(int32_t, links, (size_t)many + 1, 2, "the pairs of joints");
    LOCAL_ARRAY(bool, visited, (size_t)many + 1, "the pairs of joints");
    double *u = values, *v = u + many + 1, *least = v + many + 1;
    int32_t *partner = links, *before = links + many + 1;
    for (int added = 1; added <= few; added++) {
        int place = 0;
        partner[0] = added;
        for (int k = 0; k <= many; k++) {
            least[k] = INFINITY;
            visited[k] = false;
        }
        do { /* extend the tree of paths by its nearest member */
            const int member = partner[place];
            double step = INFINITY;
            int next = 0;
            visited[place] = true;
            for (int k = 1; k <= many; k++) {
                if (visited[k])
                    continue;
                const double reduced =
                    costs[(member - 1) * few_step + (k - 1) * many_step] - u[member] - v[k];
                if (reduced < least[k]) {
                    least[k] = reduced;
                    before[k] = place;
                }
                if (least[k] < step) {
                    step = least[k];
                    next = k;
                }
            }
            for (int k = 0; k <= many; k++)
                if (visited[k]) {
                    u[partner[k]] += step;
                    v[k] -= step;
                } else {
                    least[k] -= step;
                }
            place = next;
        } while (partner[place] != 0);
        while (place != 0) { /* shift the pairs along the path */
            partner[place] = partner[before[place]];
            place = before[place];
        }
    }
    for (int i = 0; i < rows; i++)
        column_of[i] = turned ? partner[i + 1] - 1 : -1;
    for (int k = 1; k <= many && !turned; k++)
        if (partner[k] > 0)
            column_of[partner[k] - 1] = k - 1;
    return status_ok();
}
