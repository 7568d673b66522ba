/* The edit distance of ordered trees (Zhang and Shasha 1989): inserting or deleting a joint costs 1, and
 * joints have no names. The roots of a skeleton are the children of one more joint, which both have. */
#include "harness/measure/score/score_parts.h"

#include "datasets/base/grouping.h"

/* Joints in postorder: children before their parents. */
typedef struct OrderedTree {
    int count, key_count;
    int32_t *leftmost; /* [count] first leaf below each joint */
    int32_t *keys;     /* [key_count] joints that have a sibling to the left, and the root */
    double work;       /* sizes of the trees below the keys */
} OrderedTree;

static void ordered_tree_clear(OrderedTree *tree)
{
    FREE_ALL(tree->leftmost, tree->keys);
}

static Status ordered_tree_init(const BoneGraph *skeleton, OrderedTree *out)
{
    const int root = skeleton->joint_count;
    CLEANUP(grouping_clear) Grouping children = {0};
    LOCAL_TABLE(int32_t, held, root + 1, 5, "an ordered tree");
    int32_t *parents = held, *stack = parents + root + 1, *visited = stack + root + 1,
            *first = visited + root + 1, *last = first + root + 1;
    out->count = root + 1;
    ALLOCATE(out->leftmost, out->count, "an ordered tree");
    ALLOCATE(out->keys, out->count, "an ordered tree");
    for (int j = 0; j < root; j++)
        parents[j] = skeleton->parents[j] < 0 ? root : skeleton->parents[j];
    parents[root] = -1;
    STATUS_TRY(grouping_init(parents, (size_t)root + 1, root + 1, "an ordered tree", &children));
    int depth = 0, number = 0;
    for (stack[depth++] = root; depth > 0;) {
        const int32_t joint = stack[depth - 1];
        const int64_t next = children.first[joint] + visited[joint];
        if (visited[joint] == 0)
            first[joint] = number;
        if (next < children.first[joint + 1]) {
            visited[joint]++;
            stack[depth++] = children.members[next];
        } else {
            out->leftmost[number] = first[joint];
            last[first[joint]] = number++;
            depth--;
        }
    }
    for (int i = 0; i < out->count; i++)
        if (last[out->leftmost[i]] == i) {
            out->keys[out->key_count++] = i;
            out->work += i - out->leftmost[i] + 1;
        }
    return status_ok();
}

Status tree_edit_distance(const BoneGraph *one, const BoneGraph *other, double *distance)
{
    const double WORK_MAX = 1e9;
    CLEANUP(ordered_tree_clear) OrderedTree a = {0}, b = {0};
    STATUS_TRY(ordered_tree_init(one, &a));
    STATUS_TRY(ordered_tree_init(other, &b));
    *distance = NAN;
    if (a.work * b.work > WORK_MAX)
        return status_ok();
    const ptrdiff_t width = b.count + 1;
    LOCAL_TABLE(int32_t, trees, a.count, b.count, "the distance of trees");
    LOCAL_TABLE(int32_t, forests, a.count + 1, width, "the distance of trees");
    for (int p = 0; p < a.key_count; p++)
        for (int q = 0; q < b.key_count; q++) {
            const int a_first = a.leftmost[a.keys[p]], b_first = b.leftmost[b.keys[q]];
            /* forests[i + 1][k + 1]: the distance of the joints a_first to i and b_first to k */
            for (int i = a_first; i <= a.keys[p] + 1; i++)
                forests[i * width + b_first] = i - a_first;
            for (int k = b_first; k <= b.keys[q] + 1; k++)
                forests[a_first * width + k] = k - b_first;
            for (int i = a_first; i <= a.keys[p]; i++)
                for (int k = b_first; k <= b.keys[q]; k++) {
                    const bool whole = a.leftmost[i] == a_first && b.leftmost[k] == b_first;
                    const int32_t joined = whole ? forests[i * width + k]
                                                 : forests[a.leftmost[i] * width + b.leftmost[k]] +
                                                       trees[(ptrdiff_t)i * b.count + k];
                    const int32_t edited =
                        1 + int_min(forests[i * width + k + 1], forests[(i + 1) * width + k]);
                    forests[(i + 1) * width + k + 1] = int_min(joined, edited);
                    if (whole)
                        trees[(ptrdiff_t)i * b.count + k] = forests[(i + 1) * width + k + 1];
                }
        }
    *distance = trees[(ptrdiff_t)a.count * b.count - 1];
    return status_ok();
}
