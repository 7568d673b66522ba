/* Fast Gauss transform. The two weights of a sample or vertex are a point of a plane that is divided into
 * square boxes with interpolation nodes. Each sample is spread to the nodes of its box. The nodes of each
 * box interact with the nodes of other boxes. A vertex interpolates between the nodes of its box.
 *
 * A box is 2 sigma wide, so the square root of the exponent changes by at most 1 over half a box. The error
 * of interpolation by n nodes is 2 (1/2)^n / n! times the n-th derivative of exp(-u^2), which is at most
 * 1.1 2^(n/2) sqrt(n!). For n = 24 the error is 3e-16. */
#include "methods/skinning/cor/weight_transform.h"

#include "datasets/geometry/angles.h"

enum {
    NODES = 24,
    BOX_NODES = NODES * NODES,
    BOXES_MAX = 32 /* numbers along each of the two weights */,
    VALUES = 4
};

/* Sums at the nodes of a box: mass, and mass times x, y and z. */
typedef struct Box {
    double values[VALUES][BOX_NODES];
} Box;

struct WeightTransform {
    double sigma, width;
    int boxes; /* number of boxes along each of the two weights of a pair of joints */
    double nodes[NODES],
        signs[NODES]; /* positions of the interpolation nodes in [-1, 1], and their barycentric weights */
    Box *of[BOXES_MAX][BOXES_MAX]; /* boxes, indexed by the weights of the low and the high joint; NULL for a
                                      box without samples */
};

static double box_width(double sigma)
{
    return fmin(2.0 * sigma, 1.0);
}

double weight_transform_terms(double sigma, double samples, double vertices)
{
    /* Measured times: to spread a sample, or to interpolate at a vertex, takes as long as 150 terms of
     * direct summation. A pair of boxes takes as long as one term for each pair of its nodes. Because
     * weights sum to at most 1, at most half of all boxes contain samples or vertices. */
    const double boxes = 0.5 * pow(ceil(1.0 / box_width(sigma)) + 1.0, 2.0);
    return boxes > 0.25 * BOXES_MAX * BOXES_MAX
               ? INFINITY
               : 150.0 * (samples + vertices) + boxes * boxes * BOX_NODES * BOX_NODES;
}

WeightTransform *weight_transform_create(double sigma)
{
    WeightTransform *out = memory_array(1, sizeof *out);
    if (!out)
        return NULL;
    out->sigma = sigma;
    out->width = box_width(sigma);
    out->boxes = (int)ceil(1.0 / out->width);
    for (int i = 0; i < NODES; i++) {
        const double angle = (2 * i + 1) * PI / (2 * NODES);
        out->nodes[i] = cos(angle);
        out->signs[i] = (i % 2 ? -1.0 : 1.0) * sin(angle);
    }
    return out;
}

void weight_transform_free(WeightTransform *transform)
{
    for (int i = 0; transform && i < BOXES_MAX; i++)
        for (int k = 0; k < BOXES_MAX; k++)
            memory_free(transform->of[i][k]);
    memory_free(transform);
}

/* Returns the box that contains a weight, and the interpolation coefficient of each node of that box
 * (barycentric Lagrange polynomials). */
static int weight_place(const WeightTransform *transform, double weight, double shares[NODES])
{
    const int box = int_min((int)(weight / transform->width), transform->boxes - 1);
    const double coordinate = 2.0 * (weight / transform->width - box) - 1.0;
    double sum = 0.0;
    for (int i = 0; i < NODES; i++) {
        const double distance = coordinate - transform->nodes[i];
        if (distance == 0.0) {
            memset(shares, 0, NODES * sizeof *shares);
            shares[i] = 1.0;
            return box;
        }
        shares[i] = transform->signs[i] / distance;
        sum += shares[i];
    }
    for (int i = 0; i < NODES; i++)
        shares[i] /= sum;
    return box;
}

WIDEST_VECTORS
static void box_spread(Box *box, const double *low, const double *high, const double values[VALUES])
{
    for (int i = 0; i < NODES; i++)
        for (int v = 0; v < VALUES; v++) {
            const double share = low[i] * values[v];
            double *row = &box->values[v][i * NODES];
#pragma omp simd
            for (int k = 0; k < NODES; k++)
                row[k] += share * high[k];
        }
}

bool weight_transform_add(WeightTransform *transform, const Tile *tile)
{
    double low[NODES], high[NODES];
    for (int i = 0; i < tile->count; i++) {
        Box **box = &transform->of[weight_place(transform, tile->low[i], low)]
                                  [weight_place(transform, tile->high[i], high)];
        if (!*box && !(*box = memory_array(1, sizeof **box)))
            return false;
        box_spread(*box, low, high,
                   (const double[VALUES]){tile->mass[i], tile->mass[i] * tile->x[i],
                                          tile->mass[i] * tile->y[i], tile->mass[i] * tile->z[i]});
    }
    return true;
}

/* Returns the sums at one node with weights (a, b) / sigma over all nodes (c, d) of a box of samples. */
WIDEST_VECTORS
static void node_meet(const Box *from, double a, double b, const double *c, const double *d,
                      double sums[VALUES])
{
    double mass = 0.0, x = 0.0, y = 0.0, z = 0.0;
#pragma omp simd reduction(+ : mass, x, y, z)
    for (int i = 0; i < BOX_NODES; i++) {
        const double u = a * d[i] - b * c[i], e = exp_of_negative(-u * u, true);
        mass += e * from->values[0][i];
        x += e * from->values[1][i];
        y += e * from->values[2][i];
        z += e * from->values[3][i];
    }
    sums[0] += mass;
    sums[1] += x;
    sums[2] += y;
    sums[3] += z;
}

/* Returns whether exp(-u^2) vanishes for all weights (a, b) and (c, d) in two boxes, where u = (a d - b c)
 * / sigma. */
static bool boxes_are_apart(const WeightTransform *transform, int a, int b, int c, int d)
{
    const double U_MAX = 8.0, unit = transform->width * transform->width / transform->sigma;
    return unit * (a * d - (b + 1) * (c + 1)) > U_MAX || unit * ((a + 1) * (d + 1) - b * c) < -U_MAX;
}

static void nodes_of(const WeightTransform *transform, int low, int high, double scale, double *c, double *d)
{
    for (int i = 0; i < BOX_NODES; i++) {
        c[i] = scale * transform->width * (low + 0.5 * (1.0 + transform->nodes[i / NODES]));
        d[i] = scale * transform->width * (high + 0.5 * (1.0 + transform->nodes[i % NODES]));
    }
}

static void box_fill(const WeightTransform *transform, int low, int high, Box *out)
{
    double a[BOX_NODES], b[BOX_NODES], c[BOX_NODES], d[BOX_NODES];
    nodes_of(transform, low, high, 1.0 / transform->sigma, a, b);
    for (int l = 0; l < transform->boxes; l++)
        for (int h = 0; h < transform->boxes; h++) {
            if (!transform->of[l][h] || boxes_are_apart(transform, low, high, l, h))
                continue;
            nodes_of(transform, l, h, 1.0, c, d);
            for (int i = 0; i < BOX_NODES; i++) {
                double sums[VALUES] = {0.0};
                node_meet(transform->of[l][h], a[i], b[i], c, d, sums);
                for (int v = 0; v < VALUES; v++)
                    out->values[v][i] += sums[v];
            }
        }
}

WIDEST_VECTORS
static void box_read(const Box *box, const double *low, const double *high, double sums[VALUES])
{
    for (int v = 0; v < VALUES; v++) {
        double sum = 0.0;
        for (int i = 0; i < NODES; i++) {
            const double *row = &box->values[v][i * NODES];
            double inner = 0.0;
#pragma omp simd reduction(+ : inner)
            for (int k = 0; k < NODES; k++)
                inner += row[k] * high[k];
            sum += low[i] * inner;
        }
        sums[v] = sum;
    }
}

bool weight_transform_sums(const WeightTransform *transform, const double (*weights)[2], int64_t count,
                           CenterSum *sums)
{
    WeightTransform *read =
        weight_transform_create(transform->sigma); /* boxes that contain vertices; their nodes hold the sums
                                                      between which vertices interpolate */
    bool made = read != NULL;
    for (int64_t v = 0; v < count && made; v++) {
        double low[NODES], high[NODES], values[VALUES];
        const int l = weight_place(transform, weights[v][0], low),
                  h = weight_place(transform, weights[v][1], high);
        if (!read->of[l][h]) {
            read->of[l][h] = memory_array(1, sizeof(Box));
            made = read->of[l][h] != NULL;
            if (made)
                box_fill(transform, l, h, read->of[l][h]);
        }
        if (made) {
            box_read(read->of[l][h], low, high, values);
            sums[v] = (CenterSum){{values[1], values[2], values[3]}, values[0]};
        }
    }
    weight_transform_free(read);
    return made;
}
