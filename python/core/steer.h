/* Methods of _core.World that steer it, for its table of methods. steer.c */
#ifndef TALLOW_PYTHON_STEER_H
#define TALLOW_PYTHON_STEER_H

#include "core.h"

PyObject *core_world_adopt(PyObject *world, PyObject *arguments);
PyObject *core_world_set_gravity(PyObject *world, PyObject *arguments);
PyObject *core_world_gravity(PyObject *world, PyObject *nothing);
PyObject *core_world_place_source(PyObject *world, PyObject *arguments);
PyObject *core_world_grip(PyObject *world, PyObject *arguments);
PyObject *core_world_carry(PyObject *world, PyObject *arguments);
PyObject *core_world_let_go(PyObject *world, PyObject *nothing);
PyObject *core_world_pour(PyObject *world, PyObject *arguments);
PyObject *core_world_stop_pouring(PyObject *world, PyObject *nothing);
PyObject *core_world_pouring(PyObject *world, PyObject *nothing);

#define CORE_STEERING                                                                              \
    {"adopt", core_world_adopt, METH_VARARGS,                                                      \
     "adopt($self, scene, /)\n--\n\nFrom now on it has the live parameters of another scene."},    \
        {"set_gravity", core_world_set_gravity, METH_VARARGS,                                      \
         "set_gravity($self, gravity, /)\n--\n\nFrom now on gravity (m/s²) is another."},          \
        {"gravity", core_world_gravity, METH_NOARGS,                                               \
         "gravity($self, /)\n--\n\nGravity as it is now, m/s²."},                                  \
        {"place_source", core_world_place_source, METH_VARARGS,                                    \
         "place_source($self, name, place, /)\n--\n\nPuts a heat source somewhere (m)."},          \
        {"grip", core_world_grip, METH_VARARGS,                                                    \
         "grip($self, place, radius, strength, /)\n--\n\nA hand takes hold of the matter around "  \
         "a "                                                                                      \
         "place (m, m, m/s²). Returns how many particles it holds."},                              \
        {"carry", core_world_carry, METH_VARARGS,                                                  \
         "carry($self, place, /)\n--\n\nMoves the hand (m)."},                                     \
        {"let_go", core_world_let_go, METH_NOARGS,                                                 \
         "let_go($self, /)\n--\n\nThe hand holds nothing any more."},                              \
        {"pour", core_world_pour, METH_VARARGS,                                                    \
         "pour($self, material, place, velocity, radius, temperature, most, /)\n--\n\nOpens a "    \
         "tap, or "                                                                                \
         "moves it (m, m/s, m, °C); it gives nothing while there are `most` particles."},          \
        {"stop_pouring", core_world_stop_pouring, METH_NOARGS,                                     \
         "stop_pouring($self, /)\n--\n\nShuts the tap."},                                          \
    {                                                                                              \
        "pouring", core_world_pouring, METH_NOARGS,                                                \
            "pouring($self, /)\n--\n\nWhat the tap does: nothing, pouring, blocked or full."       \
    }

#endif
