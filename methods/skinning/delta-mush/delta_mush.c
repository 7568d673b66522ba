/* Delta Mush: the skinned mesh is smoothed as the rest pose was, and gets the rest pose's detail back, turned
 * by how the smoothed surface turned. */
#include "methods/posing/laplacian.h"
#include "methods/runtime/skinning_method.h"

#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"

enum { MUSH_LAPLACIAN, MUSH_LAMBDA, MUSH_ITERATIONS, MUSH_FRAMES, MUSH_PARAMETER_COUNT };
enum { FRAMES_TANGENT, FRAMES_NEIGHBOURS };
static const char *const frame_choices[] = {"tangent", "neighbours", NULL};

static const Parameter mush_parameters[MUSH_PARAMETER_COUNT + 1] = {
    [MUSH_LAPLACIAN] = {"laplacian", "weights of the edges of the Laplacian", PARAMETER_CHOICE,
                        LAPLACIAN_UNIFORM, 0, 0, laplacian_choices},
    [MUSH_LAMBDA] = {"lambda", "step of the smoothing", PARAMETER_REAL, 3.0, 0.0, 1e4, NULL},
    [MUSH_ITERATIONS] = {"iterations", "of the smoothing", PARAMETER_INTEGER, 16, 0, 1000, NULL},
    [MUSH_FRAMES] = {"frames",
                     "what turns the detail: tangent frames of the smoothed surface, or the rotation "
                     "nearest to how the neighbours moved",
                     PARAMETER_CHOICE, FRAMES_TANGENT, 0, 0, frame_choices},
};

typedef struct MushState {
    Laplacian laplacian;
    double *places;      /* [N][3] of the smoothed rest pose */
    double *frames;      /* [N][3][3] its tangent frames; zero: none */
    double *normals;     /* [N][3] of the rest pose, unit or zero */
    int32_t *neighbours; /* [N] one of each vertex, which its tangent points to; -1: none */
    double *columns;     /* [N][12] */
    double *rotations;   /* [N][3][3] */
} MushState;

static void mush_release(void *state)
{
    MushState *mush = state;
    if (!mush)
        return;
    laplacian_clear(&mush->laplacian);
    FREE_ALL(mush->places, mush->frames, mush->normals, mush->neighbours, mush->columns, mush->rotations,
             mush);
}
DEFINE_OWNED_BY(MushState, mush_release)

static Vec3 vector_at(const double *points, size_t index)
{
    return vec3_make(points[3 * index], points[3 * index + 1], points[3 * index + 2]);
}

static void vector_store(Vec3 v, double *out)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

/* Normal, tangent and their cross product at each vertex of points [N][3], as rows; zero where there is none.
 */
static void tangent_frames(const Mesh *mesh, const int32_t *neighbours, const double *points, double *frames)
{
    const size_t vertices = (size_t)mesh->vertex_count;
    memset(frames, 0, 9 * vertices * sizeof *frames);
    for (int64_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *corners = mesh->triangles + 3 * i;
        const Vec3 first = vector_at(points, (size_t)corners[0]);
        const Vec3 area = vec3_cross(vec3_sub(vector_at(points, (size_t)corners[1]), first),
                                     vec3_sub(vector_at(points, (size_t)corners[2]), first));
        for (int at = 0; at < 3; at++) {
            double *own = frames + 9 * (size_t)corners[at];
            vector_store(vec3_add(vector_at(own, 0), area), own);
        }
    }
    for (size_t v = 0; v < vertices; v++) {
        double *own = frames + 9 * v;
        if (neighbours[v] < 0)
            continue;
        const Vec3 normal = vec3_normalize(vector_at(own, 0));
        const Vec3 edge = vec3_sub(vector_at(points, (size_t)neighbours[v]), vector_at(points, v));
        const Vec3 tangent = vec3_normalize(vec3_add_scaled(edge, normal, -vec3_dot(edge, normal)));
        vector_store(normal, own);
        vector_store(tangent, own + 3);
        vector_store(vec3_cross(normal, tangent), own + 6);
    }
}

static Status mush_bind(const SkinningBinding *binding, double *vertex_values, void **state)
{
    (void)vertex_values;
    const Mesh *mesh = binding->mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    OWNED_BY(mush_release) MushState *mush = NULL;
    ALLOCATE(mush, 1, "the smoothed rest pose");
    STATUS_TRY(laplacian_init(mesh, (LaplacianWeights)binding->parameters[MUSH_LAPLACIAN],
                              binding->parameters[MUSH_LAMBDA], &mush->laplacian));
    ALLOCATE_TABLE(mush->places, vertices, 3, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->frames, vertices, 9, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->normals, vertices, 3, "the smoothed rest pose");
    ALLOCATE(mush->neighbours, vertices, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->columns, vertices, 12, "the smoothed rest pose");
    ALLOCATE_TABLE(mush->rotations, vertices, 9, "the smoothed rest pose");
    for (size_t v = 0; v < vertices; v++)
        mush->neighbours[v] = -1;
    for (int64_t i = 3 * (int64_t)mesh->triangle_count - 1; i >= 0; i--)
        mush->neighbours[mesh->triangles[i]] = mesh->triangles[i - i % 3 + (i + 1) % 3];
    for (size_t i = 0; i < 3 * vertices; i++)
        mush->places[i] = (double)mesh->rest[i];
    vertex_normals(mesh->triangles, mesh->triangle_count, mesh->vertex_count, mesh->rest, mush->normals);
    for (size_t v = 0; v < vertices; v++)
        vector_store(vec3_normalize(vector_at(mush->normals, v)), mush->normals + 3 * v);
    STATUS_TRY(
        laplacian_smooth(&mush->laplacian, (int)binding->parameters[MUSH_ITERATIONS], 3, mush->places));
    tangent_frames(mesh, mush->neighbours, mush->places, mush->frames);
    *state = TAKE(mush);
    return status_ok();
}

static Status mush_pose(const SkinningBinding *binding, const void *state, const SkinningPose *pose)
{
    (void)state;
    memcpy(pose->joint_values, pose->transforms, (size_t)binding->rig->joint_count * sizeof(Transform));
    return status_ok();
}

/* F'^T F of frames as rows. */
static void frames_turn(const double *posed, const double *rest, double *rotation)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            rotation[3 * row + column] = posed[row] * rest[column] + posed[3 + row] * rest[3 + column] +
                                         posed[6 + row] * rest[6 + column];
}

/* q the smoothed skinned vertices, R their turn against p, those of the rest pose: v' = q + R (v - p). */
static Status mush_frame(const SkinningBinding *binding, void *state, double *positions, double *normals)
{
    MushState *mush = state;
    const Mesh *mesh = binding->mesh;
    const size_t vertices = (size_t)mesh->vertex_count;
    const int iterations = (int)binding->parameters[MUSH_ITERATIONS];
    const bool neighbours = binding->parameters[MUSH_FRAMES] == FRAMES_NEIGHBOURS;
    if (neighbours) {
        for (size_t v = 0; v < vertices; v++)
            for (size_t row = 0; row < 3; row++)
                for (size_t column = 0; column < 4; column++)
                    mush->columns[12 * v + 4 * row + column] =
                        positions[3 * v + row] * (column < 3 ? (double)mesh->rest[3 * v + column] : 1.0);
        STATUS_TRY(laplacian_smooth(&mush->laplacian, iterations, 12, mush->columns));
        for (size_t v = 0; v < vertices; v++) {
            /* the rotation nearest to how the neighbours moved: of sum_k B_ki v'_k u_k^T - q_i p_i^T */
            const double *columns = mush->columns + 12 * v, *place = mush->places + 3 * v;
            double turned[3][3];
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 3; column++)
                    turned[row][column] = columns[4 * row + column] - columns[4 * row + 3] * place[column];
            nearest_rotation((const double(*)[3])turned, turned);
            memcpy(mush->rotations + 9 * v, turned, sizeof turned);
            for (size_t axis = 0; axis < 3; axis++)
                positions[3 * v + axis] = mush->columns[12 * v + 4 * axis + 3];
        }
    } else {
        STATUS_TRY(laplacian_smooth(&mush->laplacian, iterations, 3, positions));
        tangent_frames(mesh, mush->neighbours, positions, mush->columns);
        for (size_t v = 0; v < vertices; v++)
            frames_turn(mush->columns + 9 * v, mush->frames + 9 * v, mush->rotations + 9 * v);
    }
    for (size_t v = 0; v < vertices; v++) {
        const double *turn = mush->rotations + 9 * v;
        const Vec3 x = vector_at(turn, 0), y = vector_at(turn, 1), z = vector_at(turn, 2);
        const Vec3 detail = vec3_sub(point_at(mesh->rest, (ptrdiff_t)v), vector_at(mush->places, v));
        const Vec3 moved = vec3_make(vec3_dot(x, detail), vec3_dot(y, detail), vec3_dot(z, detail));
        vector_store(vec3_add(vector_at(positions, v), moved), positions + 3 * v);
        const Vec3 normal = vector_at(mush->normals, v);
        if (normals)
            vector_store(vec3_make(vec3_dot(x, normal), vec3_dot(y, normal), vec3_dot(z, normal)),
                         normals + 3 * v);
    }
    return status_ok();
}

const SkinningMethod delta_mush_method = {
    .name = "delta-mush",
    .title = "Delta Mush",
    .citation = "Mancewicz, Derksen, Rijpkema and Wilson 2014",
    .parameters = mush_parameters,
    .floats_per_joint = 12,
    .allows_zero_weight_padding = true,
    .tolerance = 5e-5,
    .bind = mush_bind,
    .pose = mush_pose,
    .frame = mush_frame,
    .release = mush_release,
};
