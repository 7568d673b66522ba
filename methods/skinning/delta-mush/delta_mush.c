/* Delta Mush: the skinned mesh is smoothed in the same way as the rest pose. The detail that smoothing
 * removed from the rest pose is added back, rotated as the smoothed surface rotated. */
#include "methods/skinning/delta-mush/mush_state.h"

#include "datasets/geometry/jacobi.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/topology.h"
#include "datasets/model/validate.h"

enum {
    MUSH_STEPS,
    MUSH_LAPLACIAN,
    MUSH_LAMBDA,
    MUSH_ITERATIONS,
    MUSH_FRAMES,
    MUSH_ATTRIBUTE,
    MUSH_PARAMETER_COUNT
};
enum { FRAMES_TANGENT, FRAMES_NEIGHBOURS };
static const char *const frame_choices[] = {"tangent", "neighbours", NULL};

static const Parameter mush_parameters[MUSH_PARAMETER_COUNT + 1] = {
    [MUSH_STEPS] =
        {"steps",
         "how a smoothing step is computed: each vertex moves towards the mean of its neighbours, or "
         "the step solves a sparse system",
         PARAMETER_CHOICE, STEPS_EXPLICIT, 0, 0, smoothing_steps_choices},
    [MUSH_LAPLACIAN] = {"laplacian", "weights of the edges of the Laplacian", PARAMETER_CHOICE,
                        LAPLACIAN_UNIFORM, 0, 0, laplacian_choices},
    [MUSH_LAMBDA] = {"lambda", "step size of the smoothing", PARAMETER_REAL, 3.0, 0.0, 1e4, NULL},
    [MUSH_ITERATIONS] = {"iterations", "number of smoothing steps", PARAMETER_INTEGER, 16, 0, 1000, NULL},
    [MUSH_FRAMES] =
        {"frames",
         "how the detail is rotated: by tangent frames of the smoothed surface, or by the rotation "
         "that best fits how the neighbours moved",
         PARAMETER_CHOICE, FRAMES_TANGENT, 0, 0, frame_choices},
    [MUSH_ATTRIBUTE] = {"attribute",
                        "mesh attribute with the effect at each vertex, from 0 (linear blend) to 1 (full)",
                        PARAMETER_ATTRIBUTE, 0, 0, 0, NULL},
};

static void mush_release(void *state)
{
    MushState *mush = state;
    if (!mush)
        return;
    welding_clear(&mush->welding);
    laplacian_clear(&mush->laplacian);
    laplacian_filter_clear(&mush->filter);
    FREE_ALL(mush->places, mush->frames, mush->normals, mush->neighbours, mush->turns, mush->columns,
             mush->smoothed, mush->rotations, mush->patches, mush->terms, mush->patch_ends,
             mush->patch_rotations, mush->first_corner, mush->corners, mush->lanes, mush);
}
DEFINE_OWNED_BY(MushState, mush_release)

/* Sums the normals of the triangles around each vertex, each with twice the triangle's area as its length.
 * The sum is stored in the first row of the vertex's frame. */
static void areas_add(const Mesh *mesh, const double *points, double *frames)
{
    memset(frames, 0, 9 * (size_t)mesh->vertex_count * sizeof *frames);
    for (int64_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *corners = mesh->triangles + 3 * i;
        const Vec3 first = vector_at(points, (size_t)corners[0]);
        const Vec3 area = vec3_cross(vec3_sub(vector_at(points, (size_t)corners[1]), first),
                                     vec3_sub(vector_at(points, (size_t)corners[2]), first));
        for (int corner = 0; corner < 3; corner++) {
            double *frame = frames + 9 * (size_t)corners[corner];
            vector_store(vec3_add(vector_at(frame, 0), area), frame);
        }
    }
}

/* Computes the frame of each vertex for points [W][3]: normal, tangent and their cross product, as rows. A
 * vertex without a neighbour gets no frame. */
static void tangent_frames(const Mesh *mesh, const int32_t *neighbours, const double *points, double *frames)
{
    areas_add(mesh, points, frames);
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++) {
        double *frame = frames + 9 * v;
        if (neighbours[v] < 0)
            continue;
        const Vec3 normal = vec3_normalize(vector_at(frame, 0));
        const Vec3 edge = vec3_sub(vector_at(points, (size_t)neighbours[v]), vector_at(points, v));
        const Vec3 tangent = vec3_normalize(vec3_add_scaled(edge, normal, -vec3_dot(edge, normal)));
        vector_store(normal, frame);
        vector_store(tangent, frame + 3);
        vector_store(vec3_cross(normal, tangent), frame + 6);
    }
}

/* Sums over the triangles around a vertex of the smoothed surface: areas and lengths of sides. They show
 * whether rounding errors could spoil the vertex's frame. */
typedef struct Surroundings {
    double area, sides, sides_at_rest;
} Surroundings;

static void surroundings_add(const MushState *mush, Surroundings *around)
{
    const Mesh *mesh = &mush->welding.mesh;
    for (int64_t i = 0; i < 3 * (int64_t)mesh->triangle_count; i++) {
        const int32_t *triangle = mesh->triangles + i - i % 3;
        const int32_t v = triangle[i % 3];
        Vec3 places[3], sides[3];
        for (int corner = 0; corner < 3; corner++)
            places[corner] = vector_at(mush->places, (size_t)triangle[corner]);
        for (int corner = 0; corner < 3; corner++) {
            sides[corner] = vec3_sub(places[(corner + 1) % 3], places[corner]);
            around[v].sides += vec3_length(sides[corner]);
            around[v].sides_at_rest += vec3_length(vec3_sub(point_at(mesh->rest, triangle[(corner + 1) % 3]),
                                                            point_at(mesh->rest, triangle[corner])));
        }
        around[v].area += vec3_length(vec3_cross(sides[0], sides[1]));
    }
}

/* Chooses the neighbour to which the tangent of each vertex points. This is the neighbour in the vertex's
 * first triangle, unless the edge to it is nearly parallel to the normal. In that case it is the neighbour
 * along the least parallel edge.
 *
 * A vertex uses tangent frames under three conditions: the areas around it do not cancel, the edge is not
 * parallel to the normal, and smoothing did not shrink the surface so far, compared with the detail that it
 * turns, that rounding errors would show. Float backends round explicit steps to floats. */
static Status neighbours_choose(MushState *mush)
{
    const double ACROSS = 1e-3, A_POINT = 1e-3;
    const double SHRUNK = mush->laplacian.steps == STEPS_EXPLICIT ? 1.0 / 128.0 : 1e-6;
    const Mesh *mesh = &mush->welding.mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    LOCAL_ARRAY(Surroundings, around, vertices, "the smoothed rest pose");
    LOCAL_ARRAY(double, best, vertices, "the smoothed rest pose");
    surroundings_add(mush, around);
    areas_add(mesh, mush->places, mush->frames);
    for (size_t v = 0; v < vertices; v++)
        mush->neighbours[v] = -1;
    const int64_t corners = 3 * (int64_t)mesh->triangle_count;
    for (int64_t i = 0; i < 2 * corners; i++) {
        /* try the next corner of each triangle in a first pass, and the previous corner in a second */
        const int32_t *triangle = mesh->triangles + i % corners - i % 3;
        const int32_t v = triangle[i % 3], other = triangle[(i + (i < corners ? 1 : 2)) % 3];
        const Vec3 place = vector_at(mush->places, (size_t)v), area = vector_at(mush->frames + 9 * v, 0),
                   edge = vec3_sub(vector_at(mush->places, (size_t)other), place),
                   normal = vec3_normalize(area);
        const double across = vec3_length(vec3_add_scaled(edge, normal, -vec3_dot(edge, normal))),
                     share = fmin(across / fmax(vec3_length(edge), 1e-300),
                                  vec3_length(area) / fmax(around[v].area, 1e-300)),
                     height = vec3_length(area) / fmax(around[v].sides, 1e-300),
                     detail = vec3_length(vec3_sub(point_at(mesh->rest, v), place));
        if (mush->neighbours[v] >= 0 && (best[v] >= ACROSS || share <= best[v]))
            continue;
        mush->neighbours[v] = other;
        best[v] = share;
        mush->turns[v] = share >= ACROSS && fmin(across, height) >= SHRUNK * fmax(detail, across)
                             ? TURN_FRAME
                             : TURN_NEIGHBOURS;
    }
    int points = 0;
    for (size_t v = 0; v < vertices; v++)
        points += around[v].sides < A_POINT * around[v].sides_at_rest;
    if (points > 0)
        snprintf(mush->note, sizeof mush->note,
                 "smoothing shrinks the triangles around %d of %zu vertices to less than a thousandth "
                 "of their size, so the skin there moves almost rigidly; "
                 "use fewer iterations or a smaller lambda to avoid this",
                 points, vertices);
    return status_ok();
}

/* Fills `columns` for a frame, before smoothing: 3 rows of width 4 with v' (u, 1)^T, or of width 1 with the
 * positions v' alone. positions [N][3] are the skinned positions of the file's vertices. */
static void columns_fill(MushState *mush, const double *positions, size_t width)
{
    const Mesh *mesh = &mush->welding.mesh;
    for (size_t w = 0; w < (size_t)mesh->vertex_count; w++)
        for (size_t row = 0; row < 3; row++)
            for (size_t column = 0; column < width; column++)
                mush->columns[(3 * w + row) * width + column] =
                    positions[3 * (size_t)mush->welding.vertex_of[w] + row] *
                    (column + 1 < width ? (double)mesh->rest[3 * w + column] : 1.0);
}

/* Computes the motion of the neighbours of a vertex, sum_k B_ki v'_k u_k^T - q_i p_i^T, from its smoothed
 * columns [12]. */
static void neighbours_moved(const double *columns, const double *place, double moved[3][3])
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            moved[row][column] = columns[4 * row + column] - columns[4 * row + 3] * place[column];
}

/* Adds a patch of the vertices `members` [count] with their weights, or with weights 1 if NULL. Vertex k has
 * weights[k stride]. Returns its index in *patch. */
static Status patch_add(MushState *mush, const int32_t *members, int64_t count, const double *weights,
                        size_t stride, int32_t *patch)
{
    const double NEGLIGIBLE = 1e-12;
    double sum = 0.0;
    Vec3 center = vec3_make(0.0, 0.0, 0.0);
    for (int64_t i = 0; i < count; i++) {
        const double weight = weights ? weights[(size_t)members[i] * stride] : 1.0;
        sum += weight;
        center = vec3_add_scaled(center, point_at(mush->welding.mesh.rest, members[i]), weight);
    }
    for (int64_t i = 0; i < count; i++) {
        const double weight = weights ? weights[(size_t)members[i] * stride] : 1.0;
        const Vec3 place = point_at(mush->welding.mesh.rest, members[i]);
        if (fabs(weight) <= NEGLIGIBLE)
            continue;
        GROW(mush->terms, mush->term_count, "the smoothed rest pose");
        PatchTerm *term = &mush->terms[mush->term_count++];
        term->vertex = mush->welding.vertex_of[members[i]];
        vector_store(vec3_scale(vec3_add_scaled(place, center, -1.0 / sum), weight), term->share);
    }
    GROW(mush->patch_ends, mush->patch_count, "the smoothed rest pose");
    mush->patch_ends[mush->patch_count] = mush->term_count;
    *patch = mush->patch_count++;
    return status_ok();
}

/* Finds the patches. Vertices that turn with their component have a patch of its vertices. If `blends` is
 * set, vertices that turn with their neighbours have a patch of the vertices that smoothing blends, with the
 * weights of the blend. A vertex is blended by a row of the smoothing's matrix, which is smoothed from a unit
 * vector, because D times the matrix is symmetric (laplacian.h). One column holds rows of all components. If
 * the patches would be larger than the columns that they replace, these vertices get none. */
static Status patches_find(MushState *mush, int iterations, bool blends)
{
    enum { COLUMNS = 16, TERMS_MAX = 64 };
    const Mesh *mesh = &mush->welding.mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    const double *degree = mush->laplacian.degree;
    CLEANUP(grouping_clear) Grouping pieces = {0};
    LOCAL_ARRAY(int32_t, piece_of, vertices, "the smoothed rest pose");
    LOCAL_ARRAY(int32_t, column_of, vertices, "the smoothed rest pose");
    LOCAL_ARRAY(int32_t, used, vertices, "the smoothed rest pose"); /* number of columns of a component */
    LOCAL_ARRAY(int32_t, patch_of, vertices,
                "the smoothed rest pose"); /* patch of a whole component, or -1 */
    LOCAL_TABLE(double, columns, blends ? vertices : 0, COLUMNS, "the smoothed rest pose");
    int column_count = 0;
    mesh_pieces_find(mesh->triangles, mesh->triangle_count, mesh->vertex_count, piece_of);
    for (size_t v = 0; v < vertices; v++) {
        piece_of[v] = union_find_root(piece_of, (int32_t)v);
        column_of[v] = blends && mush->turns[v] == TURN_NEIGHBOURS ? used[piece_of[v]]++ : -1;
        column_count = int_max(column_count, column_of[v] + 1);
        patch_of[v] = -1;
    }
    STATUS_TRY(grouping_init(piece_of, vertices, mesh->vertex_count, "the smoothed rest pose", &pieces));
    for (size_t v = 0; v < vertices; v++) {
        const int64_t start = pieces.first[piece_of[v]], end = pieces.first[piece_of[v] + 1];
        int32_t *patch = &patch_of[piece_of[v]];
        if (mush->turns[v] == TURN_PIECE && *patch < 0)
            STATUS_TRY(patch_add(mush, pieces.members + start, end - start, NULL, 0, patch));
        mush->patches[v] = mush->turns[v] == TURN_PIECE ? *patch : -1;
    }
    const int whole_count = mush->patch_count;
    mush->width = blends ? 1 : 4;
    for (int first = 0; first < column_count && mush->width == 1; first += COLUMNS) {
        for (size_t i = 0; i < COLUMNS * vertices; i++)
            columns[i] =
                column_of[i / COLUMNS] == first + (int)(i % COLUMNS) ? 1.0 / degree[i / COLUMNS] : 0.0;
        STATUS_TRY(laplacian_smooth(&mush->laplacian, iterations, COLUMNS, columns));
        for (size_t i = 0; i < COLUMNS * vertices; i++)
            columns[i] *= degree[i / COLUMNS];
        for (size_t v = 0; v < vertices; v++) {
            const int64_t start = pieces.first[piece_of[v]], end = pieces.first[piece_of[v] + 1];
            if (column_of[v] >= first && column_of[v] < first + COLUMNS)
                STATUS_TRY(patch_add(mush, pieces.members + start, end - start,
                                     columns + (column_of[v] - first), COLUMNS, &mush->patches[v]));
        }
        mush->width = mush->term_count > TERMS_MAX * (int64_t)vertices ? 4 : 1;
    }
    if (mush->width == 1)
        return status_ok();
    for (size_t v = 0; v < vertices; v++)
        mush->patches[v] = mush->patches[v] < whole_count ? mush->patches[v] : -1;
    mush->patch_count = whole_count;
    return status_ok();
}

/* Chooses how the rotation of each vertex is found. The rotation that best fits the motion of the
 * neighbours is unique if the sum of the two smaller eigenvalues of their moments at rest is clearly
 * positive. It is not unique if the neighbours lie on a line or at one point, or if some have negative
 * weights (cotangent weights of obtuse triangles). */
static Status turns_choose(MushState *mush, const double *rest, int iterations, bool smooths, bool neighbours)
{
    enum { PATCHES_MAX = 512, PATCHES_SHARE = 8 };
    const double LEAST = 1e-4, ROUNDING = 1e-12;
    const Mesh *mesh = &mush->welding.mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    int lost = 0, with_neighbours = 0;
    mush->width = 1;
    for (size_t v = 0; v < vertices; v++) {
        mush->patches[v] = -1;
        lost += mush->turns[v] != TURN_FRAME;
    }
    mush->has_frames = true;
    if (lost == 0 && !(smooths && neighbours))
        return status_ok();
    mush->has_frames = false;
    columns_fill(mush, rest, 4);
    STATUS_TRY(laplacian_smooth(&mush->laplacian, iterations, 12, mush->columns));
    for (size_t v = 0; v < vertices; v++) {
        const double *place = mush->places + 3 * v;
        double s[3][3], vectors[9];
        neighbours_moved(mush->columns + 12 * v, place, s);
        jacobi_eigen(s[0], 3, vectors);
        const double max = fmax(fmax(s[0][0], s[1][1]), s[2][2]);
        const bool unique = smooths && max > ROUNDING * vec3_dot(vector_at(place, 0), vector_at(place, 0)) &&
                            s[0][0] + s[1][1] + s[2][2] - max > LEAST * max;
        if (mush->turns[v] == TURN_NEIGHBOURS && !unique)
            mush->turns[v] = TURN_PIECE;
        if (neighbours && unique)
            mush->turns[v] = TURN_NEIGHBOURS;
        with_neighbours += mush->turns[v] == TURN_NEIGHBOURS;
        mush->has_frames |= mush->turns[v] == TURN_FRAME;
    }
    const bool blends = with_neighbours <= int_min(PATCHES_MAX, mesh->vertex_count / PATCHES_SHARE);
    STATUS_TRY(patches_find(mush, iterations, blends));
    ALLOCATE(mush->patch_rotations, mush->patch_count, "the smoothed rest pose");
    return status_ok();
}

static Status mush_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    (void)vertex_values;
    const Mesh *mesh = binding->mesh;
    const double *parameters = binding->parameters;
    const int iterations = (int)parameters[MUSH_ITERATIONS];
    OWNED_BY(mush_release) MushState *mush = NULL;
    ALLOCATE(mush, 1, "the smoothed rest pose");
    STATUS_TRY(mesh_corners_check(mesh));
    STATUS_TRY(welding_find(mesh, binding->rig, &mush->welding));
    const Mesh *welded = &mush->welding.mesh;
    const size_t vertices = (size_t)welded->vertex_count;
    STATUS_TRY(laplacian_init(welded, (LaplacianWeights)parameters[MUSH_LAPLACIAN],
                              (SmoothingSteps)parameters[MUSH_STEPS], parameters[MUSH_LAMBDA],
                              &mush->laplacian));
    ALLOCATE_TABLE(mush->places, vertices, 3, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->frames, vertices, 9, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->normals, mesh->vertex_count, 3, "the smoothed rest pose");
    ALLOCATE(mush->neighbours, vertices, "the smoothed rest pose");
    ALLOCATE(mush->turns, vertices, "the smoothed rest pose");
    ALLOCATE(mush->patches, vertices, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->columns, vertices, 12, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->smoothed, vertices, 3, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->rotations, vertices, 9, "the smoothed rest pose");
    LOCAL_TABLE(double, rest, mesh->vertex_count, 3, "the smoothed rest pose");
    for (size_t i = 0; i < 3 * vertices; i++)
        mush->places[i] = (double)welded->rest[i];
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        rest[i] = (double)mesh->rest[i];
    vertex_normals(mesh->triangles, mesh->triangle_count, mesh->vertex_count, mesh->rest, mush->normals);
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++)
        vector_store(vec3_normalize(vector_at(mush->normals, v)), mush->normals + 3 * v);
    STATUS_TRY(laplacian_smooth(&mush->laplacian, iterations, 3, mush->places));
    STATUS_TRY(neighbours_choose(mush));
    STATUS_TRY(turns_choose(mush, rest, iterations, iterations > 0 && parameters[MUSH_LAMBDA] > 0.0,
                            parameters[MUSH_FRAMES] == FRAMES_NEIGHBOURS));
    tangent_frames(welded, mush->neighbours, mush->places, mush->frames);
    if (binding->in_floats)
        STATUS_TRY(mush_lanes_bind(mush, iterations));
    *state = TAKE(mush);
    return status_ok();
}

static const char *mush_note(const void *state)
{
    return ((const MushState *)state)->note;
}

static Status mush_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    memcpy(pose->joint_values, pose->transforms, (size_t)binding->rig->joint_count * sizeof(Transform));
    return status_ok();
}

/* Computes the rotation F'^T F from the frame F at rest to the frame F' when posed. Both frames are given
 * by rows. */
static void frames_turn(const double *posed, const double *rest, double *rotation)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            rotation[3 * row + column] = posed[row] * rest[column] + posed[3 + row] * rest[3 + column] +
                                         posed[6 + row] * rest[6 + column];
}

/* Replaces the skinned positions by v' = q + R (v - p). Here q is the smoothed skinned position, p the
 * smoothed rest position, and R the rotation of the detail. */
static Status mush_frame(const SkinningBinding *binding, MushState *mush, double *positions, double *normals)
{
    const Mesh *mesh = &mush->welding.mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    const size_t width = (size_t)mush->width;
    columns_fill(mush, positions, width);
    STATUS_TRY(laplacian_smooth(&mush->laplacian, (int)binding->parameters[MUSH_ITERATIONS], (int)(3 * width),
                                mush->columns));
    for (size_t i = 0; i < 3 * vertices; i++)
        mush->smoothed[i] = mush->columns[i * width + width - 1];
    if (mush->has_frames)
        tangent_frames(mesh, mush->neighbours, mush->smoothed, mush->rotations);
    int64_t i = 0;
    for (int patch = 0; patch < mush->patch_count; patch++) {
        double moved[3][3] = {{0.0}};
        for (; i < mush->patch_ends[patch]; i++)
            for (int k = 0; k < 9; k++)
                moved[k / 3][k % 3] += positions[3 * (size_t)mush->terms[i].vertex + (size_t)k / 3] *
                                       mush->terms[i].share[k % 3];
        nearest_rotation((const double(*)[3])moved, mush->patch_rotations[patch]);
    }
    for (size_t w = 0; w < vertices; w++) {
        double *turn = mush->rotations + 9 * w, moved[3][3];
        if (mush->patches[w] >= 0) {
            memcpy(turn, mush->patch_rotations[mush->patches[w]], sizeof moved);
        } else if (mush->turns[w] == TURN_NEIGHBOURS) {
            neighbours_moved(mush->columns + 12 * w, mush->places + 3 * w, moved);
            nearest_rotation((const double(*)[3])moved, moved);
            memcpy(turn, moved, sizeof moved);
        } else {
            memcpy(moved, turn, sizeof moved);
            frames_turn(moved[0], mush->frames + 9 * w, turn);
        }
    }
    for (size_t v = 0; v < (size_t)mush->welding.vertex_count; v++) {
        const size_t w = (size_t)mush->welding.welded_of[v];
        const double *turn = mush->rotations + 9 * w;
        const Vec3 x = vector_at(turn, 0), y = vector_at(turn, 1), z = vector_at(turn, 2);
        const Vec3 detail = vec3_sub(point_at(mesh->rest, (ptrdiff_t)w), vector_at(mush->places, w));
        const Vec3 turned = vec3_make(vec3_dot(x, detail), vec3_dot(y, detail), vec3_dot(z, detail));
        const double effect = binding->painted ? (double)binding->painted[v] : 1.0;
        const Vec3 linear = vec3_scale(vector_at(positions, v), 1.0 - effect);
        vector_store(vec3_add_scaled(linear, vec3_add(vector_at(mush->smoothed, w), turned), effect),
                     positions + 3 * v);
        if (!normals)
            continue;
        const Vec3 at_rest = vector_at(mush->normals, v);
        Vec3 normal = vec3_make(vec3_dot(x, at_rest), vec3_dot(y, at_rest), vec3_dot(z, at_rest));
        if (binding->painted)
            normal = vec3_normalize(vec3_add_scaled(
                vec3_scale(vec3_normalize(vector_at(normals, v)), 1.0 - effect), normal, effect));
        vector_store(normal, normals + 3 * v);
    }
    return status_ok();
}

static Status mush_frames(const SkinningBinding *binding, void *state, int frame_count, double *positions,
                          double *normals)
{
    MushState *mush = state;
    const size_t reals = 3 * (size_t)binding->mesh->vertex_count;
    if (mush->filter.pass_count > 0)
        return mush_lanes(binding, mush, frame_count, positions, normals);
    for (size_t frame = 0; frame < (size_t)frame_count; frame++)
        STATUS_TRY(
            mush_frame(binding, mush, positions + frame * reals, normals ? normals + frame * reals : NULL));
    return status_ok();
}

const SkinningMethod delta_mush_method = {
    .name = "delta-mush",
    .title = "Delta Mush",
    .citation = "Mancewicz, Derksen, Rijpkema and Wilson 2014",
    .summary = "Smooths the linearly blended skin over its neighbours in every frame, and adds back the "
               "details of the rest pose.",
    .engines = {[ENGINE_BLENDER] = "the Corrective Smooth modifier, below the Armature modifier",
                [ENGINE_MAYA] = "Deform > Delta Mush, after the skin cluster"},
    .parameters = mush_parameters,
    .floats_per_joint = 12,
    .allows_zero_weight_padding = true,
    .tolerance = 5e-5,
    .bind = mush_bind,
    .note = mush_note,
    .pose = mush_pose,
    .frames = mush_frames,
    .release = mush_release,
};
