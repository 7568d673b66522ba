/* Merges adjacent regions, cheapest pair first. Each region has the sums over its vertices from which its
 * best rigid motions follow (Kabsch 1976), and merging adds these sums. */
#include "methods/decomposition/coordinate-descent/merged_regions.h"

#include "datasets/geometry/topology.h"

enum { FRAMES = 24, SUMS = 12 };

typedef struct Merging {
    const Mesh *mesh;
    int frames;
    Grouping corners;
    int32_t *bridges; /* [N][2] neighbours in other pieces of the mesh; -1: none */
    double *counts;   /* [N] number of vertices of each region; 0 for a region that was merged into another */
    double *places;   /* [N][4] sums of the rest positions v, and of their squares */
    double *moments;  /* [N][F][12] sums of the positions a of a frame, and of a v^T */
    double *squares;  /* [N] sum of the squared positions over all frames */
    double *errors;   /* [N] squared error of each region under its best rigid motions */
    double *costs;    /* [N] increase of the error if a region is merged with `partners`; INFINITY: never */
    int32_t *partners, *region_of; /* [N] */
    int32_t *next, *last;      /* [N] each region's vertices as a list that begins with the region's number */
    int64_t stamp, *met;       /* [N] number of the list in which a region was listed last */
    int32_t *around, *changed; /* [N] workspace: lists of regions */
} Merging;

static void merging_clear(Merging *merging)
{
    grouping_clear(&merging->corners);
    FREE_ALL(merging->bridges, merging->counts, merging->places, merging->moments, merging->squares,
             merging->errors, merging->costs, merging->partners, merging->region_of, merging->next,
             merging->last, merging->met, merging->around, merging->changed);
}

/* Returns the maximum of trace(R^T Z) over all rotations R. It is the largest root of a polynomial, which
 * Newton's method finds from above (Theobald 2005); no rotation is computed. */
static double rotation_trace(const double Z[3][3])
{
    double square = 0.0, cofactors = 0.0, determinant = 0.0;
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, column = i % 3;
        const double cofactor = Z[(row + 1) % 3][(column + 1) % 3] * Z[(row + 2) % 3][(column + 2) % 3] -
                                Z[(row + 1) % 3][(column + 2) % 3] * Z[(row + 2) % 3][(column + 1) % 3];
        square += Z[row][column] * Z[row][column];
        cofactors += cofactor * cofactor;
        determinant += row == 0 ? Z[row][column] * cofactor : 0.0;
    }
    double root = sqrt(3.0 * square), step = root;
    for (int round = 0; round < 50 && step > 1e-12 * root; round++) {
        const double slope = 4.0 * (root * root * root - square * root - 2.0 * determinant);
        const double value = ((root * root - 2.0 * square) * root - 8.0 * determinant) * root +
                             square * square - 4.0 * cofactors;
        step = slope > 0.0 ? value / slope : 0.0;
        root -= step;
    }
    return root;
}

/* Returns the squared error of the union of two different regions under its best rigid motions. */
static double union_error(const Merging *merging, ptrdiff_t one, ptrdiff_t other)
{
    const double count = merging->counts[one] + merging->counts[other];
    double place[4], error = merging->squares[one] + merging->squares[other];
    for (int i = 0; i < 4; i++)
        place[i] = merging->places[4 * one + i] + merging->places[4 * other + i];
    error += merging->frames *
             (place[3] - (place[0] * place[0] + place[1] * place[1] + place[2] * place[2]) / count);
    for (int f = 0; f < merging->frames; f++) {
        const double *a = merging->moments + (one * merging->frames + f) * SUMS;
        const double *b = merging->moments + (other * merging->frames + f) * SUMS;
        double cross[3][3];
        for (int i = 0; i < 9; i++)
            cross[i / 3][i % 3] = a[3 + i] + b[3 + i] - (a[i / 3] + b[i / 3]) * place[i % 3] / count;
        error -= 2.0 * rotation_trace((const double(*)[3])cross);
        for (int i = 0; i < 3; i++)
            error -= (a[i] + b[i]) * (a[i] + b[i]) / count;
    }
    return fmax(error, 0.0);
}

/* Lists the regions around a region, each once, in list [N]. Returns their number. */
static int adjacent_list(Merging *merging, int32_t region, int32_t *list)
{
    int count = 0;
    merging->stamp++;
    for (int32_t vertex = region; vertex >= 0; vertex = merging->next[vertex]) {
        const int64_t from = 2 * merging->corners.first[vertex] - 2,
                      to = 2 * merging->corners.first[vertex + 1];
        for (int64_t side = from; side < to; side++) {
            const int32_t neighbour =
                side < from + 2 ? merging->bridges[2 * (ptrdiff_t)vertex + side - from]
                                : vertex_neighbour(merging->mesh->triangles, &merging->corners, side);
            const int32_t other = neighbour < 0 ? region : merging->region_of[neighbour];
            if (other == region || merging->met[other] == merging->stamp)
                continue;
            merging->met[other] = merging->stamp;
            list[count++] = other;
        }
    }
    return count;
}

/* Finds the adjacent region with which a region is merged at the lowest cost. */
static void partner_find(Merging *merging, int32_t region)
{
    const int count = adjacent_list(merging, region, merging->around);
    merging->costs[region] = INFINITY;
    for (int i = 0; i < count; i++) {
        const int32_t other = merging->around[i];
        const double cost =
            union_error(merging, region, other) - merging->errors[region] - merging->errors[other];
        if (cost < merging->costs[region]) {
            merging->costs[region] = cost;
            merging->partners[region] = other;
        }
    }
}

/* Adds region `other` to region `one`, and finds new partners for the regions around them. */
static void regions_merge(Merging *merging, int32_t one, int32_t other)
{
    const ptrdiff_t sums = (ptrdiff_t)merging->frames * SUMS;
    merging->errors[one] = union_error(merging, one, other);
    merging->counts[one] += merging->counts[other];
    merging->counts[other] = 0.0;
    merging->squares[one] += merging->squares[other];
    for (int i = 0; i < 4; i++)
        merging->places[4 * (ptrdiff_t)one + i] += merging->places[4 * (ptrdiff_t)other + i];
    for (ptrdiff_t i = 0; i < sums; i++)
        merging->moments[one * sums + i] += merging->moments[other * sums + i];
    for (int32_t vertex = other; vertex >= 0; vertex = merging->next[vertex])
        merging->region_of[vertex] = one;
    merging->next[merging->last[one]] = other;
    merging->last[one] = merging->last[other];
    merging->costs[other] = INFINITY;
    partner_find(merging, one);
    const int count = adjacent_list(merging, one, merging->changed);
    for (int i = 0; i < count; i++) {
        const int32_t partner = merging->partners[merging->changed[i]];
        if (partner == one || partner == other)
            partner_find(merging, merging->changed[i]);
    }
}

/* Reads the frames, and makes a region of every vertex. */
static Status merging_make(const Mesh *mesh, const Animation *animation, Merging *merging)
{
    static const char what[] = "the regions of the bones";
    const int vertices = mesh->vertex_count, frames = int_min(FRAMES, animation->frame_count);
    merging->mesh = mesh;
    merging->frames = frames;
    ALLOCATE_TABLE(merging->bridges, vertices, 2, what);
    ALLOCATE(merging->counts, vertices, what);
    ALLOCATE_TABLE(merging->places, vertices, 4, what);
    ALLOCATE_TABLE(merging->moments, (size_t)vertices * (size_t)frames, SUMS, what);
    ALLOCATE(merging->squares, vertices, what);
    ALLOCATE(merging->errors, vertices, what);
    ALLOCATE(merging->costs, vertices, what);
    ALLOCATE(merging->partners, vertices, what);
    ALLOCATE(merging->region_of, vertices, what);
    ALLOCATE(merging->next, vertices, what);
    ALLOCATE(merging->last, vertices, what);
    ALLOCATE(merging->met, vertices, what);
    ALLOCATE(merging->around, vertices, what);
    ALLOCATE(merging->changed, vertices, what);
    LOCAL_TABLE(float, positions, vertices, 3, what);
    STATUS_TRY(corners_at_vertices(mesh->triangles, mesh->triangle_count, vertices, &merging->corners));
    const float *middle = mesh->rest;
    for (ptrdiff_t v = 0; v < vertices; v++) {
        merging->counts[v] = 1.0;
        merging->region_of[v] = merging->last[v] = (int32_t)v;
        merging->next[v] = -1;
        for (int axis = 0; axis < 3; axis++) {
            const double x = (double)mesh->rest[3 * v + axis] - (double)middle[axis];
            merging->places[4 * v + axis] = x;
            merging->places[4 * v + 3] += x * x;
        }
    }
    for (int f = 0; f < frames; f++) {
        const int frame = (int)((int64_t)f * animation->frame_count / frames);
        STATUS_TRY(animation_block(animation, vertices, (PositionBlock){frame, 1, 0, vertices}, positions));
        for (ptrdiff_t v = 0; v < vertices; v++) {
            double *sums = merging->moments + (v * frames + f) * SUMS;
            for (int i = 0; i < 3; i++) {
                sums[i] = (double)positions[3 * v + i] - (double)positions[i];
                merging->squares[v] += sums[i] * sums[i];
                for (int k = 0; k < 3; k++)
                    sums[3 + 3 * i + k] = sums[i] * merging->places[4 * v + k];
            }
        }
    }
    /* connect every piece of the mesh with the piece before it */
    mesh_pieces_find(mesh->triangles, mesh->triangle_count, vertices, merging->partners);
    for (int32_t v = 0; v < 2 * vertices; v++)
        merging->bridges[v] = -1;
    for (int32_t v = 1, before = 0; v < vertices; v++)
        if (union_find_root(merging->partners, v) == v) {
            merging->bridges[2 * before] = v;
            merging->bridges[2 * v + 1] = before;
            before = v;
        }
    for (int32_t v = 0; v < vertices; v++)
        partner_find(merging, v);
    return status_ok();
}

Status merged_regions_make(const Mesh *mesh, const Animation *animation, int wanted, int32_t *regions,
                           int *count)
{
    const int vertices = mesh->vertex_count;
    CLEANUP(merging_clear) Merging merging = {.mesh = mesh};
    STATUS_TRY(merging_make(mesh, animation, &merging));
    for (int left = vertices; left > int_min(wanted, vertices); left--) {
        int32_t best = 0;
        for (int32_t v = 1; v < vertices; v++)
            best = merging.costs[v] < merging.costs[best] ? v : best;
        const int32_t other = merging.partners[best];
        if (merging.counts[best] >= merging.counts[other])
            regions_merge(&merging, best, other);
        else
            regions_merge(&merging, other, best);
    }
    *count = 0;
    for (int v = 0; v < vertices; v++)
        merging.around[v] = merging.counts[v] > 0.0 ? (*count)++ : -1;
    for (int v = 0; v < vertices; v++)
        regions[v] = merging.around[merging.region_of[v]];
    return status_ok();
}
