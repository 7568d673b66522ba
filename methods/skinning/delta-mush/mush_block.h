/* Delta Mush on several frames side by side: every operation has one lane per frame. mush_doubles.c and
 * mush_floats.c include this file, which needs these definitions:
 *   LANE_REAL           the type of the arithmetic
 *   LANE_SQRT(x)        its square root
 *   LANE_SMOOTHED       a structure of smoothed values, base + moves (SmoothedFloats of laplacian_filter.h)
 *   LANE_SMOOTH         a function that returns it, with the parameters of laplacian_filter_smooth_floats
 *   LANES               the greatest number of frames side by side */
#include "methods/skinning/delta-mush/mush_state.h"

#include "datasets/geometry/nearest_rotation.h"

/* Values of a block. `x` holds the skinned positions of the welded vertices [W][3][lanes]; of a single frame,
 * it holds [W][4] with 0 in the last column. */
typedef struct BlockValues {
    const MushState *mush;
    LANE_REAL *x;
    LANE_REAL *rotations; /* [patch_count][9][lanes] */
    LANE_SMOOTHED smoothed;
} BlockValues;

/* The difference of a smoothed coordinate of a vertex from that of the vertex at `place`, without the
 * rounding of the sums base + moves. */
#define GAP(vertex, k)                                                                                       \
    ((base[(vertex) + (k)] - base[place + (k)]) + (moves[(vertex) + (k)] - moves[place + (k)]))

/* A vector in each frame. */
typedef struct Lanes3 {
    LANE_REAL x[LANES], y[LANES], z[LANES];
} Lanes3;

/* Returns the factor that gives a vector the length 1, or 0 if it has none. */
INLINE LANE_REAL unit_factor(LANE_REAL x, LANE_REAL y, LANE_REAL z)
{
    const LANE_REAL square = x * x + y * y + z * z;
    return square > 0 ? 1 / LANE_SQRT(square) : 0;
}

/* Computes the tangent frame of a vertex of the smoothed surface, as tangent_frames does. */
INLINE void lanes_frame(const BlockValues *block, size_t w, const int lanes, const int columns,
                        Lanes3 frame[3])
{
    const MushState *mush = block->mush;
    const LANE_REAL *base = block->smoothed.base, *moves = block->smoothed.moves;
    const size_t place = w * (size_t)columns, other = (size_t)mush->neighbours[w] * (size_t)columns;
    Lanes3 areas = {{0}, {0}, {0}};
    for (int64_t i = mush->first_corner[w]; i < mush->first_corner[w + 1]; i++) {
        const size_t a = (size_t)mush->corners[i][0] * (size_t)columns;
        const size_t b = (size_t)mush->corners[i][1] * (size_t)columns;
        EACH_LANE (lane, lanes) {
            const size_t x = (size_t)lane, y = x + (size_t)lanes, z = y + (size_t)lanes;
            const LANE_REAL ax = GAP(a, x), ay = GAP(a, y), az = GAP(a, z);
            const LANE_REAL bx = GAP(b, x), by = GAP(b, y), bz = GAP(b, z);
            areas.x[lane] += ay * bz - az * by;
            areas.y[lane] += az * bx - ax * bz;
            areas.z[lane] += ax * by - ay * bx;
        }
    }
    EACH_LANE (lane, lanes) {
        LANE_REAL x = areas.x[lane], y = areas.y[lane], z = areas.z[lane], factor = unit_factor(x, y, z);
        frame[0].x[lane] = x *= factor;
        frame[0].y[lane] = y *= factor;
        frame[0].z[lane] = z *= factor;
        const size_t at = (size_t)lane, step = (size_t)lanes;
        LANE_REAL tx = GAP(other, at), ty = GAP(other, at + step), tz = GAP(other, at + 2 * step);
        const LANE_REAL dot = tx * x + ty * y + tz * z;
        tx -= dot * x;
        ty -= dot * y;
        tz -= dot * z;
        factor = unit_factor(tx, ty, tz);
        frame[1].x[lane] = tx *= factor;
        frame[1].y[lane] = ty *= factor;
        frame[1].z[lane] = tz *= factor;
        frame[2].x[lane] = y * tz - z * ty;
        frame[2].y[lane] = z * tx - x * tz;
        frame[2].z[lane] = x * ty - y * tx;
    }
}

/* Returns the rotated vector `at_rest` of a vertex, by its patch or by its frame. */
INLINE Lanes3 lanes_turned(const BlockValues *block, size_t w, Vec3 at_rest, const int lanes,
                           const Lanes3 frame[3])
{
    const MushState *mush = block->mush;
    const double *rest = mush->frames + 9 * w;
    const int patch = mush->patches[w];
    Lanes3 out;
    if (patch >= 0) {
        const LANE_REAL x = (LANE_REAL)at_rest.x, y = (LANE_REAL)at_rest.y, z = (LANE_REAL)at_rest.z;
        const LANE_REAL *r = block->rotations + (size_t)patch * 9 * (size_t)lanes;
        EACH_LANE (lane, lanes) {
            out.x[lane] = r[lane] * x + r[lanes + lane] * y + r[2 * lanes + lane] * z;
            out.y[lane] = r[3 * lanes + lane] * x + r[4 * lanes + lane] * y + r[5 * lanes + lane] * z;
            out.z[lane] = r[6 * lanes + lane] * x + r[7 * lanes + lane] * y + r[8 * lanes + lane] * z;
        }
        return out;
    }
    LANE_REAL own[3]; /* the vector in the frame at rest */
    for (int row = 0; row < 3; row++)
        own[row] = (LANE_REAL)vec3_dot(vector_at(rest, (size_t)row), at_rest);
    EACH_LANE (lane, lanes) {
        out.x[lane] = frame[0].x[lane] * own[0] + frame[1].x[lane] * own[1] + frame[2].x[lane] * own[2];
        out.y[lane] = frame[0].y[lane] * own[0] + frame[1].y[lane] * own[1] + frame[2].y[lane] * own[2];
        out.z[lane] = frame[0].z[lane] * own[0] + frame[1].z[lane] * own[1] + frame[2].z[lane] * own[2];
    }
    return out;
}

/* Finds the rotations of all patches. */
INLINE void lanes_patches(const BlockValues *block, const int lanes, const int columns)
{
    const MushState *mush = block->mush;
    int64_t i = 0;
    for (int patch = 0; patch < mush->patch_count; patch++) {
        double moved[9][LANES] = {{0.0}};
        LANE_REAL *rotation = block->rotations + (size_t)patch * 9 * (size_t)lanes;
        for (; i < mush->patch_ends[patch]; i++) {
            const PatchTerm *term = &mush->terms[i];
            const LANE_REAL *x = block->x + (size_t)mush->welding.welded_of[term->vertex] * (size_t)columns;
            for (int row = 0; row < 3; row++)
                EACH_LANE (lane, lanes) {
                    const double value = (double)x[row * lanes + lane];
                    moved[3 * row][lane] += value * term->share[0];
                    moved[3 * row + 1][lane] += value * term->share[1];
                    moved[3 * row + 2][lane] += value * term->share[2];
                }
        }
        for (int first = 0; first < lanes; first += ROTATION_LANES) {
            double matrices[9][ROTATION_LANES];
            const int count = int_min(ROTATION_LANES, lanes - first);
            for (int k = 0; k < 9; k++)
                for (int lane = count; lane < ROTATION_LANES; lane++)
                    matrices[k][lane] = k % 4 == 0 ? 1.0 : 0.0;
            for (int k = 0; k < 9; k++)
                memcpy(matrices[k], moved[k] + first, (size_t)count * sizeof(double));
            nearest_rotations(matrices);
            for (int k = 0; k < 9; k++)
                for (int lane = 0; lane < count; lane++)
                    rotation[k * lanes + first + lane] = (LANE_REAL)matrices[k][lane];
        }
    }
}

/* Processes a block of at most `lanes` frames. Lanes without a frame repeat the last one. The
 * coordinates in lanes are relative to vertex 0 of their frame, in units of the mesh's diagonal, so that
 * floats keep their digits far from the origin and in any unit of length. */
INLINE void lanes_block(const FrameBlock *frames, const int lanes, const int columns)
{
    const MushState *mush = frames->mush;
    const Mesh *mesh = &mush->welding.mesh;
    const size_t reals = 3 * (size_t)mush->welding.vertex_count;
    const size_t array = (size_t)mesh->vertex_count * (size_t)columns;
    LANE_REAL *spare = (LANE_REAL *)frames->memory + array;
    BlockValues block = {.mush = mush, .x = frames->memory, .rotations = spare + 3 * array};
    const double unit = mush->unit, in_units = 1.0 / unit;
    const int count = int_min(lanes, frames->frame_count);
    double *starts[LANES], origins[3][LANES];
    for (int lane = 0; lane < lanes; lane++) {
        starts[lane] = frames->positions + (size_t)int_min(lane, count - 1) * reals;
        for (int axis = 0; axis < 3; axis++)
            origins[axis][lane] = starts[lane][axis];
    }
    for (size_t w = 0; w < (size_t)mesh->vertex_count; w++) {
        const size_t start = 3 * (size_t)mush->welding.vertex_of[w];
        LANE_REAL *x = block.x + w * (size_t)columns;
        for (int lane = 0; lane < lanes; lane++)
            for (int axis = 0; axis < 3; axis++)
                x[axis * lanes + lane] =
                    (LANE_REAL)((starts[lane][start + (size_t)axis] - origins[axis][lane]) * in_units);
    }
    lanes_patches(&block, lanes, columns);
    block.smoothed = LANE_SMOOTH(&mush->filter, columns, block.x, spare);
    const LANE_REAL *base = block.smoothed.base, *moves = block.smoothed.moves;
    for (size_t v = 0; v < (size_t)mush->welding.vertex_count; v++) {
        const size_t w = (size_t)mush->welding.welded_of[v];
        const size_t place = w * (size_t)columns;
        const double effect = frames->binding->painted ? (double)frames->binding->painted[v] : 1.0;
        Lanes3 frame[3];
        if (mush->patches[w] < 0 && mush->neighbours[w] >= 0)
            lanes_frame(&block, w, lanes, columns, frame);
        else
            memset(frame, 0, sizeof frame);
        const Vec3 detail = vec3_sub(point_at(mesh->rest, (ptrdiff_t)w), vector_at(mush->places, w));
        const Lanes3 turned = lanes_turned(&block, w, vec3_scale(detail, in_units), lanes, frame);
        double mushed[3][LANES];
        EACH_LANE (lane, lanes) {
            const size_t x = place + (size_t)lane, y = x + (size_t)lanes, z = y + (size_t)lanes;
            mushed[0][lane] = (double)(base[x] + (moves[x] + turned.x[lane])) * unit + origins[0][lane];
            mushed[1][lane] = (double)(base[y] + (moves[y] + turned.y[lane])) * unit + origins[1][lane];
            mushed[2][lane] = (double)(base[z] + (moves[z] + turned.z[lane])) * unit + origins[2][lane];
        }
        for (int lane = 0; lane < count; lane++)
            for (int axis = 0; axis < 3; axis++) {
                double *out = &starts[lane][3 * v + (size_t)axis];
                *out = frames->binding->painted ? *out * (1.0 - effect) + mushed[axis][lane] * effect
                                                : mushed[axis][lane];
            }
        if (!frames->normals)
            continue;
        const Lanes3 normals = lanes_turned(&block, w, vector_at(mush->normals, v), lanes, frame);
        for (int lane = 0; lane < count; lane++) {
            double *out = frames->normals + (size_t)lane * reals + 3 * v;
            Vec3 normal =
                vec3_make((double)normals.x[lane], (double)normals.y[lane], (double)normals.z[lane]);
            if (frames->binding->painted)
                normal = vec3_normalize(vec3_add_scaled(
                    vec3_scale(vec3_normalize(vector_at(out, 0)), 1.0 - effect), normal, effect));
            vector_store(normal, out);
        }
    }
}

WIDEST_VECTORS
static void block_of_eight(const FrameBlock *frames)
{
    lanes_block(frames, 8, FILTER_WIDE);
}

WIDEST_VECTORS
static void block_of_one(const FrameBlock *frames)
{
    lanes_block(frames, 1, FILTER_NARROW);
}
