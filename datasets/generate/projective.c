/* Projective dynamics (Bouaziz et al. 2014, Algorithm 1). A step of duration h finds the positions x that
 * minimise
 *
 *   |x - s|_M^2 / (2 h^2) + sum_e w_e / 2 |F_e(x) - R_e|^2 + sum_b w_b / 2 |B_b x|^2,
 *
 * where s are the positions without elasticity, M the masses, F_e the deformation gradient of element e,
 * R_e the rotation nearest to F_e, w the weights, and B_b the bending element b. The step alternates
 * between finding the rotations R_e (local step, each element separately) and x (global step, with F_e =
 * G_e x):
 *
 *   (M / h^2 + sum w G^T G + sum w B^T B) x = M s / h^2 + sum w G^T R
 *
 * Contacts and stretch limits are then enforced directly on the positions (Mueller, Heidelberger, Hennix
 * and Ratcliff 2007, Position Based Dynamics). */
#include "datasets/generate/projective.h"

#include "datasets/base/grouping.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"
#include "datasets/geometry/sparse_cholesky.h"

static const double FRAME_S = 1.0 / 30.0;
static const double PIN_WEIGHT =
    100.0; /* weight of a pin, relative to the sum of the other terms of its diagonal element */

Status projective_allocate(ProjectiveModel *model)
{
    ALLOCATE(model->start, model->vertex_count, "a soft body");
    ALLOCATE(model->velocity, model->vertex_count, "a soft body");
    ALLOCATE(model->masses, model->vertex_count, "a soft body");
    ALLOCATE(model->elements, model->element_count, "a soft body");
    ALLOCATE(model->bends, model->bend_count, "a soft body");
    ALLOCATE(model->tethers, model->tether_count, "a soft body");
    ALLOCATE(model->pins, model->pin_count, "a soft body");
    return status_ok();
}

void projective_clear(ProjectiveModel *model)
{
    FREE_ALL(model->start, model->velocity, model->masses, model->elements, model->bends, model->tethers,
             model->pins);
    *model = (ProjectiveModel){0};
}

/* The gradients of all vertices except the first are the rows of the inverse of the matrix of rest edges
 * [corners - 1][corners - 1]. The sum of all gradients is zero. The edges of a triangle are given in a
 * frame whose first axis is the triangle's first edge. */
double strain_element_make(int corners, const int32_t *vertices, const Vec3 *rest, double stiffness,
                           StrainElement *out)
{
    const Vec3 a = vec3_sub(rest[1], rest[0]), b = vec3_sub(rest[2], rest[0]);
    double size = 0.0;
    *out = (StrainElement){.weight = 0.0};
    for (int i = 0; i < corners; i++)
        out->vertices[i] = vertices[i];
    if (corners == 3) {
        const double length = vec3_length(a), high = vec3_length(vec3_cross(a, b)) / length;
        size = 0.5 * length * high;
        out->gradients[1][0] = 1.0 / length;
        out->gradients[1][1] = -vec3_dot(a, b) / (length * length * high);
        out->gradients[2][1] = 1.0 / high;
    } else {
        const Vec3 c = vec3_sub(rest[3], rest[0]);
        const Vec3 rows[3] = {vec3_cross(b, c), vec3_cross(c, a), vec3_cross(a, b)};
        const double determinant = vec3_dot(a, rows[0]);
        size = fabs(determinant) / 6.0;
        for (int i = 0; i < 3; i++) {
            out->gradients[i + 1][0] = rows[i].x / determinant;
            out->gradients[i + 1][1] = rows[i].y / determinant;
            out->gradients[i + 1][2] = rows[i].z / determinant;
        }
    }
    for (int i = 1; i < corners; i++)
        for (int k = 0; k < 3; k++)
            out->gradients[0][k] -= out->gradients[i][k];
    out->weight = stiffness * size;
    return size;
}

static double cotangent(Vec3 a, Vec3 b)
{
    return vec3_dot(a, b) / vec3_length(vec3_cross(a, b));
}

void bend_element_make(const int32_t vertices[4], const Vec3 *rest, double stiffness, BendElement *out)
{
    const Vec3 edge = vec3_sub(rest[1], rest[0]), back = vec3_scale(edge, -1.0);
    double area = 0.0;
    *out = (BendElement){.weight = 0.0};
    for (int side = 2; side < 4; side++) {
        const Vec3 first = vec3_sub(rest[side], rest[0]), second = vec3_sub(rest[side], rest[1]);
        const double at_first = cotangent(edge, first), at_second = cotangent(back, second);
        area += 0.5 * vec3_length(vec3_cross(edge, first));
        out->factors[0] += at_second;
        out->factors[1] += at_first;
        out->factors[side] = -(at_first + at_second);
    }
    memcpy(out->vertices, vertices, sizeof out->vertices);
    out->weight = stiffness * 3.0 / area;
}

/* Returns the distance of a point from a capsule, which is negative inside. *along is the position of the
 * nearest point on the axis, from 0 at its first end to 1 at its second end. */
static double capsule_distance(const Capsule *capsule, Vec3 point, double *along)
{
    const Vec3 axis = vec3_sub(capsule->ends[1], capsule->ends[0]), to = vec3_sub(point, capsule->ends[0]);
    *along = segment_share(point, capsule->ends[0], capsule->ends[1]);
    return vec3_length(vec3_add_scaled(to, axis, -*along)) - capsule->radius;
}

/* ---- a motion ---- */

typedef struct Simulation {
    const ProjectiveModel *model;
    const ProjectiveScene *scene;
    double h;
    SparseCholesky *factor;
    Grouping incidence;        /* element corners, 4 per element, grouped by vertex */
    double (*rotations)[4][3]; /* [element_count] terms w G^T R, which each element adds at its vertices */
    Vec3 *now, *before, *velocity; /* [vertex_count] */
    Vec3 *inertia, *force,
        *unknowns;       /* [vertex_count] M s / h^2; external forces; right-hand side and solution */
    double *mobility;    /* [vertex_count] 0 for pins, otherwise 1 */
    double *pin_weights; /* [vertex_count] weight of each pin, 0 for other vertices */
    Capsule *capsules, *capsules_before;
    Vec3 *pins;
} Simulation;

static void motion_clear(Simulation *motion)
{
    sparse_cholesky_free(motion->factor);
    grouping_clear(&motion->incidence);
    FREE_ALL(motion->rotations, motion->now, motion->before, motion->velocity, motion->inertia, motion->force,
             motion->unknowns, motion->mobility, motion->pin_weights, motion->capsules,
             motion->capsules_before, motion->pins);
}

static void term_add(SparseEntry *entries, size_t *count, double *diagonal, int row, int column, double value)
{
    if (row == column)
        diagonal[row] += value;
    else
        entries[(*count)++] = (SparseEntry){int_max(row, column), int_min(row, column), value};
}

/* Factors the matrix of the global step. Pins get a weight that holds them in place. */
static Status matrix_factor(Simulation *motion)
{
    const ProjectiveModel *model = motion->model;
    const size_t max = (size_t)model->vertex_count + 6 * (size_t)(model->element_count + model->bend_count);
    LOCAL_ARRAY(SparseEntry, entries, max, "the motion of a soft body");
    LOCAL_ARRAY(double, diagonal, model->vertex_count, "the motion of a soft body");
    size_t count = 0;
    for (int i = 0; i < model->vertex_count; i++)
        diagonal[i] = model->masses[i] / (motion->h * motion->h);
    for (int e = 0; e < model->element_count; e++) {
        const StrainElement *element = &model->elements[e];
        for (int i = 0; i < model->corners; i++)
            for (int j = 0; j <= i; j++) {
                const double *a = element->gradients[i], *b = element->gradients[j];
                term_add(entries, &count, diagonal, element->vertices[i], element->vertices[j],
                         element->weight * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
            }
    }
    for (int e = 0; e < model->bend_count; e++) {
        const BendElement *bend = &model->bends[e];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j <= i; j++)
                term_add(entries, &count, diagonal, bend->vertices[i], bend->vertices[j],
                         bend->weight * bend->factors[i] * bend->factors[j]);
    }
    for (int i = 0; i < model->pin_count; i++)
        motion->pin_weights[model->pins[i]] = PIN_WEIGHT * diagonal[model->pins[i]];
    for (int i = 0; i < model->vertex_count; i++)
        entries[count++] = (SparseEntry){i, i, diagonal[i] + motion->pin_weights[i]};
    STATUS_TRY(
        sparse_cholesky_factor(model->vertex_count, count, entries, SPARSE_REPEATABLE, &motion->factor));
    if (!motion->factor)
        return bad_usage("the body is too stiff for its simulation steps; use more steps per frame");
    return status_ok();
}

/* Computes the rotation R = F S^-1 of the first two columns of F in closed form. S = sqrt(F^T F) is a 2x2
 * matrix:
 *
 *   S = (F^T F + d I) / t, with d = det S and t = tr S */
static void triangle_rotation(double f[3][3], double rotation[3][3])
{
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (int k = 0; k < 3; k++) {
        xx += f[k][0] * f[k][0];
        xy += f[k][0] * f[k][1];
        yy += f[k][1] * f[k][1];
    }
    const double square = xx * yy - xy * xy, min = 1e-12 * (xx + yy) * (xx + yy) + 1e-300;
    const double d = sqrt(square > min ? square : min), scale = 1.0 / (d * sqrt(xx + yy + 2.0 * d));
    for (int k = 0; k < 3; k++) {
        rotation[k][0] = scale * (f[k][0] * (yy + d) - f[k][1] * xy);
        rotation[k][1] = scale * (f[k][1] * (xx + d) - f[k][0] * xy);
        rotation[k][2] = 0.0;
    }
}

/* Does the local step: finds the rotations of all elements. */
static void elements_project(Simulation *motion)
{
    const ProjectiveModel *model = motion->model;
    const int corners = model->corners;
    for (int e = 0; e < model->element_count; e++) {
        const StrainElement *element = &model->elements[e];
        double f[3][3] = {{0.0}}, rotation[3][3];
        for (int i = 0; i < corners; i++) {
            const Vec3 x = motion->now[element->vertices[i]];
            for (int k = 0; k < 3; k++) {
                f[0][k] += x.x * element->gradients[i][k];
                f[1][k] += x.y * element->gradients[i][k];
                f[2][k] += x.z * element->gradients[i][k];
            }
        }
        if (corners == 3)
            triangle_rotation(f, rotation);
        else
            nearest_rotation((const double(*)[3])f, rotation);
        for (int i = 0; i < corners; i++)
            for (int k = 0; k < 3; k++) {
                const double *g = element->gradients[i];
                motion->rotations[e][i][k] =
                    element->weight * (rotation[k][0] * g[0] + rotation[k][1] * g[1] + rotation[k][2] * g[2]);
            }
    }
}

/* Does the local step, then the global step. `inertia` are the positions without elasticity. */
static Status motion_relax(Simulation *motion)
{
    const ProjectiveModel *model = motion->model;
    const Grouping *incidence = &motion->incidence;
    elements_project(motion);
    for (int v = 0; v < model->vertex_count; v++) {
        Vec3 sum = motion->inertia[v];
        for (int64_t entry = incidence->first[v]; entry < incidence->first[v + 1]; entry++) {
            const double *part =
                motion->rotations[incidence->members[entry] / 4][incidence->members[entry] % 4];
            sum = vec3_add(sum, vec3_make(part[0], part[1], part[2]));
        }
        motion->unknowns[v] = sum;
    }
    STATUS_TRY(sparse_cholesky_solve(motion->factor, &motion->unknowns[0].x, 3));
    memcpy(motion->now, motion->unknowns, (size_t)model->vertex_count * sizeof *motion->now);
    return status_ok();
}

static void pins_place(Simulation *motion)
{
    for (int i = 0; i < motion->model->pin_count; i++)
        motion->now[motion->model->pins[i]] = motion->pins[i];
}

/* Shortens tethers that are too long, in order or in reverse order. Returns the largest length found,
 * relative to the allowed length. */
static double tethers_shorten(Simulation *motion, bool backwards)
{
    const int count = motion->model->tether_count;
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        const Tether *tether = &motion->model->tethers[backwards ? count - 1 - i : i];
        const int32_t a = tether->vertices[0], b = tether->vertices[1];
        const Vec3 span = vec3_sub(motion->now[b], motion->now[a]);
        const double square = vec3_dot(span, span), sum = motion->mobility[a] + motion->mobility[b];
        if (square <= tether->length * tether->length || !(sum > 0.0))
            continue;
        const double ratio = sqrt(square) / tether->length, share = (1.0 - 1.0 / ratio) / sum;
        motion->now[a] = vec3_add_scaled(motion->now[a], span, share * motion->mobility[a]);
        motion->now[b] = vec3_add_scaled(motion->now[b], span, -share * motion->mobility[b]);
        worst = ratio > worst ? ratio : worst;
    }
    return worst;
}

/* Moves a vertex that is inside a capsule to the surface of the capsule, and reduces its sliding by
 * friction. */
static void vertex_push_out(Simulation *motion, double margin, double friction, int vertex, int capsule)
{
    const Capsule *now = &motion->capsules[capsule], *before = &motion->capsules_before[capsule];
    Vec3 *point = &motion->now[vertex];
    double along = 0.0;
    const double depth = margin - capsule_distance(now, *point, &along);
    if (!(depth > 0.0))
        return;
    const Vec3 axis = vec3_add_scaled(now->ends[0], vec3_sub(now->ends[1], now->ends[0]), along);
    const Vec3 was = vec3_add_scaled(before->ends[0], vec3_sub(before->ends[1], before->ends[0]), along);
    const Vec3 normal = vec3_normalize(vec3_sub(*point, axis));
    *point = vec3_add_scaled(*point, normal, depth);
    const Vec3 slid = vec3_sub(vec3_sub(*point, motion->before[vertex]), vec3_sub(axis, was));
    const Vec3 sideways = vec3_add_scaled(slid, normal, -vec3_dot(slid, normal));
    const double length = vec3_length(sideways), held = friction * depth;
    *point = vec3_add_scaled(*point, sideways, held < length ? -held / length : -1.0);
}

/* Adds the drag of moving air to the forces on the vertices. */
static void motion_blow(Simulation *motion, double time)
{
    const double
        AIR = 1.2,
        ALONG = 0.05; /* density of air in kg/m^3; drag along a triangle, relative to the drag across it */
    const Vec3 *positions = motion->now, *velocities = motion->velocity;
    for (int e = 0; e < motion->model->element_count; e++) {
        const int32_t *v = motion->model->elements[e].vertices;
        const Vec3 a = positions[v[0]], b = positions[v[1]], c = positions[v[2]];
        const Vec3 cross = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        const double area = 0.5 * vec3_length(cross);
        const Vec3 normal = vec3_normalize(cross);
        const Vec3 place = vec3_scale(vec3_add(vec3_add(a, b), c), 1.0 / 3.0);
        const Vec3 speed = vec3_add(vec3_add(velocities[v[0]], velocities[v[1]]), velocities[v[2]]);
        const Vec3 wind = motion->scene->wind(motion->scene->context, place, time);
        const Vec3 air = vec3_add_scaled(wind, speed, -1.0 / 3.0);
        const double across = vec3_dot(air, normal), share = 0.5 * AIR * area / 3.0;
        Vec3 force = vec3_scale(normal, (1.0 - ALONG) * share * fabs(across) * across);
        force = vec3_add_scaled(force, air, ALONG * share * vec3_length(air));
        for (int i = 0; i < 3; i++)
            motion->force[v[i]] = vec3_add(motion->force[v[i]], force);
    }
}

static Status motion_step(Simulation *motion, double time)
{
    enum { ROUNDS = 100 };
    const double SLACK = 1.03;
    const ProjectiveModel *model = motion->model;
    const ProjectiveScene *scene = motion->scene;
    const double h = motion->h;
    memset(motion->force, 0, (size_t)model->vertex_count * sizeof *motion->force);
    if (scene->wind)
        motion_blow(motion, time);
    memcpy(motion->capsules_before, motion->capsules,
           (size_t)scene->capsule_count * sizeof *motion->capsules);
    if (scene->move)
        scene->move(scene->context, time + h, motion->capsules, motion->pins);
    for (int v = 0; v < model->vertex_count; v++) {
        Vec3 speed = vec3_add_scaled(motion->velocity[v], motion->force[v], h / model->masses[v]);
        speed.y -= h * scene->gravity;
        motion->before[v] = motion->now[v];
        motion->now[v] = vec3_add_scaled(motion->now[v], speed, h);
        motion->inertia[v] = vec3_scale(motion->now[v], model->masses[v] / (h * h));
    }
    for (int i = 0; i < model->pin_count; i++) {
        Vec3 *inertia = &motion->inertia[model->pins[i]];
        *inertia = vec3_add_scaled(*inertia, motion->pins[i], motion->pin_weights[model->pins[i]]);
    }
    pins_place(motion);
    for (int i = 0; i < scene->iterations; i++)
        STATUS_TRY(motion_relax(motion));
    pins_place(motion);
    for (int i = 0; i < ROUNDS; i++) {
        const double margin = i < ROUNDS / 2 ? scene->margin : -scene->give;
        for (int c = 0; c < motion->scene->capsule_count; c++) {
            const Capsule *capsule = &motion->capsules[c];
            const Vec3 middle = vec3_scale(vec3_add(capsule->ends[0], capsule->ends[1]), 0.5);
            const double reach = vec3_length(vec3_sub(capsule->ends[0], middle)) + capsule->radius + margin;
            for (int v = 0; v < motion->model->vertex_count; v++) {
                const Vec3 arm = vec3_sub(motion->now[v], middle);
                if (motion->mobility[v] > 0.0 && vec3_dot(arm, arm) < reach * reach)
                    vertex_push_out(motion, margin, (i == 0 ? scene->friction : 0.0), v, c);
            }
        }
        const double worst = tethers_shorten(motion, i % 2 != 0);
        if (worst < SLACK)
            break;
    }
    for (int v = 0; v < model->vertex_count; v++)
        motion->velocity[v] = vec3_scale(vec3_sub(motion->now[v], motion->before[v]), 1.0 / h);
    return status_ok();
}

static Status motion_make(Simulation *motion)
{
    static const char what[] = "the motion of a soft body";
    const ProjectiveModel *model = motion->model;
    const int capsules = motion->scene ? motion->scene->capsule_count : 0;
    const size_t n = (size_t)model->vertex_count, corners = 4 * (size_t)model->element_count;
    ALLOCATE(motion->rotations, model->element_count, what);
    ALLOCATE(motion->now, n, what);
    ALLOCATE(motion->before, n, what);
    ALLOCATE(motion->velocity, n, what);
    ALLOCATE(motion->inertia, n, what);
    ALLOCATE(motion->force, n, what);
    ALLOCATE(motion->unknowns, n, what);
    ALLOCATE(motion->mobility, n, what);
    ALLOCATE(motion->pin_weights, n, what);
    ALLOCATE(motion->capsules, capsules, what);
    ALLOCATE(motion->capsules_before, capsules, what);
    ALLOCATE(motion->pins, model->pin_count, what);
    /* group the element corners by vertex */
    LOCAL_ARRAY(int32_t, vertices, corners, what);
    for (size_t i = 0; i < corners; i++)
        vertices[i] = (int)(i % 4) < model->corners ? model->elements[i / 4].vertices[i % 4] : -1;
    STATUS_TRY(grouping_init(vertices, corners, model->vertex_count, "a soft body", &motion->incidence));
    return matrix_factor(motion);
}

/* Each step starts from the result of the previous step. The masses therefore only damp the motion and do
 * not change the minimum. */
Status projective_minimize(const ProjectiveModel *model, int count, Vec3 *positions)
{
    enum { ROUNDS = 200 };
    const double STILL = 1e-3; /* fraction of the largest movement in an earlier round */
    CLEANUP(motion_clear) Simulation motion = {.model = model, .h = 1.0};
    const size_t n = (size_t)model->vertex_count;
    STATUS_TRY(motion_make(&motion));
    for (; count > 0; count--, positions += n) {
        double most = 0.0, moved = INFINITY;
        memcpy(motion.now, positions, n * sizeof *positions);
        for (int p = 0; p < model->pin_count; p++)
            motion.pins[p] = positions[model->pins[p]];
        for (int round = 0; round < ROUNDS && moved > STILL * STILL * most; round++) {
            memcpy(motion.before, motion.now, n * sizeof *positions);
            for (size_t v = 0; v < n; v++)
                motion.inertia[v] = vec3_scale(motion.now[v], model->masses[v] + motion.pin_weights[v]);
            STATUS_TRY(motion_relax(&motion));
            pins_place(&motion);
            moved = 0.0;
            for (size_t v = 0; v < n; v++) {
                const Vec3 step = vec3_sub(motion.now[v], motion.before[v]);
                moved = fmax(moved, vec3_dot(step, step));
            }
            most = fmax(most, moved);
        }
        memcpy(positions, motion.now, n * sizeof *positions);
    }
    return status_ok();
}

Status projective_run(const ProjectiveModel *model, const ProjectiveScene *scene, double lead,
                      int frame_count, const Progress *progress,
                      void (*deliver)(void *context, int frame, const Vec3 *positions), void *context)
{
    CLEANUP(motion_clear) Simulation motion = {.model = model, .scene = scene, .h = FRAME_S / scene->steps};
    const int lead_frames = (int)ceil(lead / FRAME_S), all = lead_frames + frame_count;
    STATUS_TRY(motion_make(&motion));
    memcpy(motion.now, model->start, (size_t)model->vertex_count * sizeof *motion.now);
    memcpy(motion.velocity, model->velocity, (size_t)model->vertex_count * sizeof *motion.velocity);
    for (int v = 0; v < model->vertex_count; v++)
        motion.mobility[v] = motion.pin_weights[v] > 0.0 ? 0.0 : 1.0;
    if (scene->move)
        scene->move(scene->context, -lead_frames * FRAME_S, motion.capsules, motion.pins);
    for (int frame = -lead_frames; frame < frame_count; frame++) {
        if (frame >= 0)
            deliver(context, frame, motion.now);
        for (int step = 0; step < scene->steps && frame + 1 < frame_count; step++)
            STATUS_TRY(motion_step(&motion, (frame + (double)step / scene->steps) * FRAME_S));
        STATUS_TRY(progress_try(progress, "simulating", (double)(frame + 1 + lead_frames) / all, NULL));
    }
    return status_ok();
}
