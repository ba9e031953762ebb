/* A gable: two legs that lean against each other, of particles in close packing [Ton91 fig. 5, 6].
 * Each layer is a triangle of rows, of which the outermost `width` particles on both sides are
 * kept; layers stand behind each other, every other one a third of a row lower. Fourteen rows with
 * a width of three are the 69 particles of the paper. */
#ifndef TL_SCENE_GABLE_H
#define TL_SCENE_GABLE_H

#include "scene/scene.h"

size_t tl_gable_count(const tl_gable_def *gable);

/* Writes the positions of tl_gable_count particles. */
void tl_gable_fill(const tl_gable_def *gable, double spacing, tl_seed *seeds);

/* The box along the axes around it; and how deep `x` is inside a leg (m), negative outside. */
tl_box_def tl_gable_bounds(const tl_gable_def *gable);
double tl_gable_depth(const tl_gable_def *gable, const double x[3]);

#endif
