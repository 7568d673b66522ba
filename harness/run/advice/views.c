/* Chooses the joints, poses and methods to show in pictures: the poses within the joints' ranges in which
 * the methods that the advice names differ most from lbs. */
#include "harness/run/advice/contest.h"

static const char *const pose_words[] = {
    [POSE_BEND] = "bent", [POSE_TWIST] = "twisted", [POSE_CHAIN] = "chain twisted"};

static int joints_by_difference(const void *a, const void *b)
{
    const AdviceJoint *first = a, *second = b;
    return (first->difference < second->difference) - (first->difference > second->difference);
}

static Status view_make(Contest *contest, int joint, int pose, AdviceView *view)
{
    const size_t values = 3 * (size_t)contest->rest.mesh.vertex_count;
    const Pose *entry = &contest->gauntlet.poses[pose];
    if (entry->kind == POSE_OWN)
        snprintf(view->pose, sizeof view->pose, "frame %d", entry->number);
    else
        snprintf(view->pose, sizeof view->pose, "%s %d degrees", pose_words[entry->kind], entry->number);
    if (contest->reference >= 0)
        STATUS_TRY(block_skin(contest, &contest->contenders[contest->reference], pose, 1));
    /* the distance from the reference is shown if this pose has a reference shape */
    const float *shape = reference_shape(contest, 0, pose);
    LOCAL_ARRAY(float, reference, shape ? values : 0, "a view");
    if (shape)
        memcpy(reference, shape, values * sizeof *shape);
    for (int i = 0; i < view->method_count; i++) {
        Contender *contender = &contest->contenders[view->methods[i]];
        STATUS_TRY(block_skin(contest, contender, pose, 1));
        ALLOCATE(view->positions[i], values, "a view");
        ALLOCATE(view->changes[i], contest->rest.mesh.vertex_count, "a view");
        memcpy(view->positions[i], contender->positions, values * sizeof(float));
        if (!shape)
            skin_radial_changes(&contest->rest,
                                contest->gauntlet.transforms +
                                    (size_t)pose * (size_t)contest->gauntlet.joint_count,
                                view->positions[i], view->changes[i]);
        for (int v = 0; shape && v < contest->rest.mesh.vertex_count; v++)
            view->changes[i][v] =
                (float)(vec3_length(vec3_sub(point_at(view->positions[i], v), point_at(reference, v))) /
                        contest->rest.diagonal);
    }
    view->joint = joint;
    /* find a ball around the skin of the joint in this pose */
    const float *positions = view->positions[0];
    Vec3 low = vec3_make(INFINITY, INFINITY, INFINITY), high = vec3_scale(low, -1.0);
    for (int v = 0; v < contest->rest.mesh.vertex_count; v++) {
        if (contest->rest.joint_of[v] != contest->joints[joint])
            continue;
        const Vec3 place = point_at(positions, v);
        low = vec3_make(fmin(low.x, place.x), fmin(low.y, place.y), fmin(low.z, place.z));
        high = vec3_make(fmax(high.x, place.x), fmax(high.y, place.y), fmax(high.z, place.z));
    }
    view->center = vec3_scale(vec3_add(low, high), 0.5);
    view->radius = fmax(0.5 * vec3_length(vec3_sub(high, low)), 0.02 * contest->rest.diagonal);
    return status_ok();
}

/* Chooses the methods shown beside lbs. The methods that the advice names come first, best first. If it
 * names none, another safe method is shown, the one that does least harm. Returns the number of methods. */
static int methods_choose(const Advice *advice, int methods[ADVICE_SHOWN])
{
    int count = 0;
    methods[count++] = advice->lbs;
    for (int pass = 0; pass < 2; pass++)
        while (count < ADVICE_SHOWN) {
            int best = -1;
            for (int m = 0; m < advice->method_count; m++) {
                bool taken = advice->methods[m].reason[0] != '\0' ||
                             (pass == 0 ? !advice_names(advice, m)
                                        : advice->methods[m].table == advice->methods[advice->lbs].table ||
                                              advice_fault(advice, m) || count > 1);
                for (int i = 0; i < count; i++)
                    taken = taken || methods[i] == m;
                if (!taken && (best < 0 || advice->methods[m].harm < advice->methods[best].harm))
                    best = m;
            }
            if (best < 0)
                break;
            methods[count++] = best;
        }
    return count;
}

Status views_make(Contest *contest, Advice *advice)
{
    int shown[ADVICE_SHOWN];
    const int shown_count = methods_choose(advice, shown);
    LOCAL_ARRAY(int, poses, contest->dataset->rig.joint_count, "the views");
    for (int j = 0; j < advice->joint_used; j++) {
        AdviceJoint *joint = &advice->joints[j];
        for (int i = 1; i < shown_count; i++) {
            int pose = 0;
            const double difference = joint_max(contest, &contest->contenders[shown[i]], contest->joints[j],
                                                offsetof(JointDamage, difference), false, &pose);
            if (difference > joint->difference) {
                joint->difference = difference;
                poses[j] = pose;
            }
        }
    }
    for (; advice->view_count < int_min(ADVICE_VIEWS, advice->joint_used); advice->view_count++) {
        int best = -1;
        for (int j = 0; j < advice->joint_used; j++) {
            bool taken = false;
            for (int i = 0; i < advice->view_count; i++)
                taken = taken || advice->views[i].joint == j;
            if (!taken && (best < 0 || advice->joints[j].difference > advice->joints[best].difference))
                best = j;
        }
        AdviceView *view = &advice->views[advice->view_count];
        view->method_count = shown_count;
        memcpy(view->methods, shown, sizeof shown);
        STATUS_TRY(view_make(contest, best, poses[best], view));
    }
    /* sort the joints, so that view i shows joint i */
    qsort(advice->joints, (size_t)advice->joint_used, sizeof *advice->joints, joints_by_difference);
    for (int i = 0; i < advice->view_count; i++)
        advice->views[i].joint = i;
    return status_ok();
}
