/* A soft animal that is thrown onto a slope of logs and tumbles down, simulated by projective dynamics. The
 * simulation moves the tetrahedra of an enclosing grid, and these move the closed surface. The surface has
 * as many vertices as the elastic cow in FESAM Table 2. The data set has positions only. */
#include "datasets/generate/generate.h"
#include "datasets/generate/generate_parts.h"
#include "datasets/generate/projective.h"
#include "datasets/generate/tube.h"

#include "datasets/geometry/points.h"

enum { VERTICES, FRAMES, LEAD, CELL, STIFFNESS, SPIN, GRAVITY, STEPS, ITERATIONS, SEED, ROW_COUNT };

static const Parameter parameters[ROW_COUNT + 1] = {
    [VERTICES] = {"vertices", "exact number of vertices of the surface", PARAMETER_INTEGER, 2904, 300, 1e6,
                  NULL},
    [FRAMES] = {"frames", "frames", PARAMETER_INTEGER, 204, 1, 4096, NULL},
    [LEAD] = {"lead", "time simulated before the first frame, seconds; it starts when the body is thrown",
              PARAMETER_REAL, 0.0, 0.0, 60.0, NULL},
    [CELL] = {"cell", "side length of a grid cell, metres", PARAMETER_REAL, 0.075, 0.04, 0.2, NULL},
    [STIFFNESS] = {"stiffness", "stiffness against strain, Pa", PARAMETER_REAL, 40000.0, 100.0, 1e7, NULL},
    [SPIN] = {"spin", "rotation of the body when it is thrown, turns per second", PARAMETER_REAL, 0.7, 0.0,
              10.0, NULL},
    [GRAVITY] = {"gravity", "m/s^2", PARAMETER_REAL, 9.81, 0.0, 100.0, NULL},
    [STEPS] = {"steps", "number of simulation steps per frame", PARAMETER_INTEGER, 6, 1, 256, NULL},
    [ITERATIONS] = {"iterations", "number of local and global solves per simulation step", PARAMETER_INTEGER,
                    3, 1, 256, NULL},
    [SEED] = {"seed", "random seed of the positions of the logs", PARAMETER_INTEGER, 1, 0, 4294967295.0,
              NULL},
};

enum { LOGS = 48 };
static const double REACH = 0.62;     /* largest distance of the surface from the body's centre */
static const double DENSITY = 1000.0; /* kg/m^3 */

/* ---- the surface: a ball with legs, head and tail, as rings from pole to pole ---- */

static double radius_at(Vec3 direction)
{
    static const double lobes[][4] = {{.60, -.70, .38, .30},   {-.60, -.70, .38, .30}, {.60, -.70, -.38, .30},
                                      {-.60, -.70, -.38, .30}, {0, .50, .87, .34},     {0, .35, -.94, .22}};
    double radius = 0.26;
    for (size_t i = 0; i < sizeof lobes / sizeof lobes[0]; i++) {
        const Vec3 way = vec3_normalize(vec3_make(lobes[i][0], lobes[i][1], lobes[i][2]));
        double power = vec3_dot(direction, way);
        for (int square = 0; square < 4 && power > 0.0; square++)
            power *= power;
        radius += power > 0.0 ? lobes[i][3] * power : 0.0;
    }
    return radius;
}

/* Makes a closed surface from rings. Each ring has at least three vertices, and longer rings have more. The
 * vertices are first placed on a sphere and then moved to the surface. */
static Status surface_make(int vertices, Mesh *mesh)
{
    const int count = (int)floor(0.8 * sqrt(vertices)), spare = vertices - 2 - 3 * count;
    LOCAL_ARRAY(TubeRing, rings, count, "a soft body");
    double all = 0.0, sum = 0.0;
    int done = 0;
    for (int i = 0; i < count; i++)
        all += wave_sine(0.5 * (i + 0.5) / count);
    for (int i = 0; i < count; i++) {
        const double turns = 0.5 * (i + 0.5) / count, radius = wave_sine(turns);
        sum += radius;
        const int next = i + 1 == count ? spare : (int)floor(spare * sum / all + 0.5);
        rings[i] = (TubeRing){.center = {0.0, -wave_cosine(turns), 0.0},
                              .u = {0.0, 0.0, 1.0},
                              .v = {1.0, 0.0, 0.0},
                              .radius_u = radius,
                              .radius_v = radius,
                              .vertices = 3 + next - done};
        done = next;
    }
    STATUS_TRY(tube_mesh_make(rings, count, mesh));
    for (int v = 0; v < vertices; v++) {
        /* Round the positions. The simulation must not depend on the last bit of a sine, which differs
         * between C libraries. */
        Vec3 place = point_at(mesh->rest, v);
        place = vec3_make(floor(place.x * 1048576.0 + 0.5), floor(place.y * 1048576.0 + 0.5),
                          floor(place.z * 1048576.0 + 0.5));
        const Vec3 direction = vec3_normalize(place);
        point_set(mesh->rest, v, vec3_scale(direction, radius_at(direction)));
    }
    return status_ok();
}

/* ---- the grid ---- */

typedef struct Grid {
    int side;        /* number of cell corners along an axis */
    double cell;     /* side of a cell */
    int32_t *nodes;  /* [side^3] soft-body vertex at each corner, counted from 1; 0: none */
    int32_t *places; /* [N] first corner of the cell that contains each surface vertex */
    ProjectiveModel model;
    Dataset *dataset;
    Capsule logs[LOGS];
} Grid;

static int cell_corner(const Grid *grid, int first, int corner)
{
    return first + (corner & 1) + (corner >> 1 & 1) * grid->side + (corner >> 2) * grid->side * grid->side;
}

/* Returns the first corner of the cell that contains a point. `shares` is the position within the cell
 * along each axis, from 0 to 1. */
static int cell_around(const Grid *grid, Vec3 place, double shares[3])
{
    const double coordinates[3] = {place.x, place.y, place.z};
    int corner = 0;
    for (int k = 2; k >= 0; k--) {
        const double cells = (coordinates[k] + REACH) / grid->cell, low = floor(cells);
        shares[k] = cells - low;
        corner = corner * grid->side + (int)low;
    }
    return corner;
}

static Vec3 corner_place(const Grid *grid, int corner)
{
    const int side = grid->side;
    const int column = corner % side, row = corner / side % side, layer = corner / (side * side);
    return vec3_make(column * grid->cell - REACH, row * grid->cell - REACH, layer * grid->cell - REACH);
}

/* Finds the cells that contain a surface vertex or whose centre is inside the surface, and numbers their
 * corners. Divides each of these cells into the six tetrahedra around its diagonal (Kuhn). */
static Status grid_fill(Grid *grid, double stiffness)
{
    static const int ways[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    const Mesh *mesh = &grid->dataset->mesh;
    const int side = grid->side, corners = side * side * side;
    ProjectiveModel *model = &grid->model;
    double shares[3];
    LOCAL_ARRAY(unsigned char, used, corners, "a soft body");
    for (int v = 0; v < mesh->vertex_count; v++)
        used[grid->places[v] = cell_around(grid, point_at(mesh->rest, v), shares)] = 1;
    for (int c = 0; c < corners; c++) {
        const double half = 0.5 * grid->cell;
        const Vec3 middle = vec3_add(corner_place(grid, c), vec3_make(half, half, half));
        if (c % side + 1 < side && c / side % side + 1 < side && c / (side * side) + 1 < side)
            used[c] = used[c] || vec3_length(middle) < radius_at(vec3_normalize(middle));
        for (int k = 0; used[c] && k < 8; k++)
            if (grid->nodes[cell_corner(grid, c, k)] == 0)
                grid->nodes[cell_corner(grid, c, k)] = ++model->vertex_count;
        model->element_count += 6 * used[c];
    }
    STATUS_TRY(projective_allocate(model));
    for (int c = 0; c < corners; c++)
        if (grid->nodes[c] > 0)
            model->start[grid->nodes[c] - 1] = corner_place(grid, c);
    for (int c = 0, element = 0; c < corners; c++)
        for (int t = 0; t < 6 && used[c]; t++) {
            const int picked[4] = {0, ways[t][0], ways[t][1], 7};
            int32_t vertices[4];
            Vec3 rest[4];
            for (int i = 0; i < 4; i++) {
                vertices[i] = grid->nodes[cell_corner(grid, c, picked[i])] - 1;
                rest[i] = model->start[vertices[i]];
            }
            const double volume =
                strain_element_make(4, vertices, rest, stiffness, &model->elements[element++]);
            for (int i = 0; i < 4; i++)
                model->masses[vertices[i]] += 0.25 * DENSITY * volume;
        }
    return status_ok();
}

/* ---- the motion of the grid ---- */

static void logs_stay(const void *context, double time, Capsule *capsules, Vec3 *pins)
{
    (void)time;
    (void)pins;
    memcpy(capsules, ((const Grid *)context)->logs, sizeof(Capsule) * LOGS);
}

/* Moves each surface vertex with the corners of its cell, by trilinear interpolation. */
static void surface_carry(void *context, int frame, const Vec3 *positions)
{
    const Grid *grid = context;
    const Mesh *mesh = &grid->dataset->mesh;
    for (int v = 0; v < mesh->vertex_count; v++) {
        double s[3];
        Vec3 sum = {0.0, 0.0, 0.0};
        cell_around(grid, point_at(mesh->rest, v), s);
        for (int k = 0; k < 8; k++) {
            const double share =
                (k & 1 ? s[0] : 1.0 - s[0]) * (k & 2 ? s[1] : 1.0 - s[1]) * (k & 4 ? s[2] : 1.0 - s[2]);
            sum = vec3_add_scaled(sum, positions[grid->nodes[cell_corner(grid, grid->places[v], k)] - 1],
                                  share);
        }
        point_set(grid->dataset->animation.positions, (ptrdiff_t)frame * mesh->vertex_count + v, sum);
    }
}

static void grid_clear(Grid *grid)
{
    projective_clear(&grid->model);
    FREE_ALL(grid->nodes, grid->places);
}

static Status elastic_fill(const double *values, const Progress *progress, Dataset *dataset)
{
    const int vertices = (int)values[VERTICES], frames = (int)values[FRAMES];
    CLEANUP(grid_clear)
    Grid grid = {.side = 2 + (int)ceil(2.0 * REACH / values[CELL]),
                 .cell = values[CELL],
                 .model = {.corners = 4},
                 .dataset = dataset};
    const ProjectiveScene scene = {.gravity = values[GRAVITY],
                                   .friction = 0.5,
                                   .steps = (int)values[STEPS],
                                   .iterations = (int)values[ITERATIONS],
                                   .capsule_count = LOGS,
                                   .move = logs_stay,
                                   .context = &grid};
    Random random = {((uint64_t)values[SEED])};
    for (int i = 0; i < LOGS; i++) {
        const double x = 0.55 * (i - 4) + 0.08 * random_signed(&random), skew = 0.25 * random_signed(&random);
        const double y = -0.28 * (i - 4) + 0.06 * random_signed(&random), tilt = 0.1 * random_signed(&random);
        grid.logs[i] = (Capsule){{{x + skew, y + tilt, 4.0}, {x - skew, y - tilt, -4.0}}, 0.32};
    }
    STATUS_TRY(surface_make(vertices, &dataset->mesh));
    STATUS_TRY(animation_allocate(&dataset->animation, frames, vertices, 0));
    ALLOCATE_TABLE(grid.nodes, (size_t)grid.side * (size_t)grid.side, grid.side, "a soft body");
    ALLOCATE(grid.places, vertices, "a soft body");
    STATUS_TRY(grid_fill(&grid, values[STIFFNESS]));
    ProjectiveModel *model = &grid.model;
    const Vec3 lift = {0.0, 1.2, 0.0}, flight = {1.5, 0.5, 0.1};
    const Vec3 turn = vec3_scale(vec3_normalize(vec3_make(0.5, 0.3, -1.0)), 6.283185307179586 * values[SPIN]);
    for (int v = 0; v < model->vertex_count; v++) {
        model->velocity[v] = vec3_add(flight, vec3_cross(turn, model->start[v]));
        model->start[v] = vec3_add(model->start[v], lift);
    }
    return projective_run(&grid.model, &scene, values[LEAD], frames, progress, surface_carry, &grid);
}

const Generator generator_elastic = {
    .name = "elastic",
    .title = "soft animal tumbling down logs, simulated; positions only, deformable",
    .dataset_title = "Soft animal tumbling down logs, simulated; no rig",
    .parameters = parameters,
    .fill = elastic_fill};
