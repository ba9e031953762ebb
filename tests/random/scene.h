/* Random scenes that are valid: whatever a scene may say, in numbers of particles that run in
 * seconds. The text depends on the seed alone. */
#ifndef TL_TESTS_RANDOM_SCENE_H
#define TL_TESTS_RANDOM_SCENE_H

#include <stdint.h>

/* A scene of YAML; free with free(). NULL when memory runs out. */
char *random_scene(uint64_t seed);

#endif
