/* The extension module tallow._core: scenes, worlds and views of fields, on the limited API of
 * CPython 3.11 and the public header alone. What is pleasant to call is made of it in Python
 * (python/tallow). */
#ifndef TALLOW_PYTHON_CORE_H
#define TALLOW_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <tallow/tallow.h>

/* What the module knows of others: one interpreter has it. */
typedef struct core_names {
    PyObject *errors;  /* classes in the order of tl_status; tallow._errors.BY_STATUS */
    PyObject *finding; /* tallow._errors.Finding */
    PyObject *view_error, *busy_error;
    PyTypeObject *scene, *world, *field;
} core_names;
extern core_names core;

typedef struct core_scene {
    PyObject_HEAD tl_scene *scene;
    PyObject *findings; /* a tuple */
} core_scene;

typedef struct core_world {
    PyObject_HEAD core_scene *scene;
    core_scene *adopted; /* whose live parameters it has; NULL: its own */
    tl_world *world;
    Py_ssize_t *exports; /* [fields] buffers that are alive */
    bool busy;           /* some thread works on it without the interpreter's lock */
} core_world;

typedef struct core_field {
    PyObject_HEAD core_world *world;
    size_t index;
} core_field;

extern PyType_Spec core_scene_spec, core_world_spec, core_field_spec;

/* A str of UTF-8 that may have been cut short. */
PyObject *core_text(const char *text);

/* Raises the exception of an error's status, with findings (a tuple, or NULL); returns NULL. */
PyObject *core_raise(const tl_error *error, PyObject *findings);

/* Raises an exception of a class with these words; returns NULL. */
PyObject *core_refuse(PyObject *type, const char *what, const char *where, const char *fix);

/* False, with an exception, while another thread works on the world. */
bool core_world_is_free(const core_world *world);

#endif
