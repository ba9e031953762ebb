/* What the background grids are made of (grids.h): for grids.c, which places them, grid_operator.c,
 * which fills them, and grid_cycle.c, which solves with them. */
#ifndef TL_FLOW_GRID_LEVELS_H
#define TL_FLOW_GRID_LEVELS_H

#include "flow/grids.h"

enum {
    TL_GRID_LEVELS = 12,
    TL_GRID_PRODUCTS = 27, /* of two trilinear weights: N0², N0 N1, N1² along each axis */
    TL_GRID_CHANNELS = 9,  /* mass, μ, κ - 2/3 μ and six of the wall blocks */
    TL_GRID_STENCIL = 27,  /* nodes around a node, itself included */
    TL_GRID_MIDDLE = 13,   /* the node itself */
    TL_GRID_COARSEST = 27, /* nodes that are solved directly */
    TL_GRID_GRAIN = 16     /* nodes or cells a block of parallel work */
};

/* Sums of one channel over products of gradients: ∂p N_a ∂q N_b for nodes a, b. */
typedef struct tl_grid_slopes {
    float same[3][3][3];     /* [p]: both along p; indexed by the products along the other axes */
    float mixed[3][2][2][3]; /* xy, xz, yz: half along the first, along the second, product */
} tl_grid_slopes;

typedef struct tl_grid_level {
    double cell; /* m */
    size_t cells, nodes;
    int32_t (*at)[3];                                  /* [cells] place */
    uint32_t (*corner)[8];                             /* [cells] nodes */
    uint32_t *parent;                                  /* [cells] cell of the next level */
    uint8_t *octant;                                   /* [cells] which child of its parent */
    float (*sums)[TL_GRID_CHANNELS][TL_GRID_PRODUCTS]; /* [cells] */
    bool *walled;                                      /* [cells] some particles touch a wall */
    tl_grid_slopes (*slopes)[2];                       /* [cells] of μ and of κ - 2/3 μ */
    int32_t (*node_at)[3];                             /* [nodes] */
    uint32_t (*node_cell)[8];              /* [nodes] cell + 1 in which it is corner k; 0: none */
    uint32_t (*around)[TL_GRID_STENCIL];   /* [nodes] neighbours; `nodes` where there is none */
    float (*stencil)[TL_GRID_STENCIL][12]; /* [nodes] 3x3 blocks by columns of four */
    float (*inverse)[12];                  /* [nodes] of the diagonal block */
    float *x, *r, *t;                      /* [4 (nodes + 1)] */
} tl_grid_level;

struct tl_grids {
    tl_grid_level level[TL_GRID_LEVELS];
    int levels;
    size_t particles;
    uint32_t *cell_of, *start, *member; /* [n], [cells + 1], [n] */
    float (*weight)[8];                 /* [n] trilinear */
    float (*push)[3][8];                /* [cells] restriction, before the nodes collect it */
    uint64_t *key; /* hash table of places, while cells and nodes are numbered */
    uint32_t *slot;
    size_t table;
    double dense[3 * TL_GRID_COARSEST * 3 * TL_GRID_COARSEST]; /* L of the coarsest level */
};

/* Where corner b of a cell stands in the stencil of its corner a. */
static inline int tl_grid_slot(int a, int b) {
    return ((b >> 2) - (a >> 2) + 1) * 9 + ((b >> 1 & 1) - (a >> 1 & 1) + 1) * 3 + (b & 1) -
           (a & 1) + 1;
}

#endif
