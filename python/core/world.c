/* _core.World: a world that steps without the interpreter's lock. While it does, other threads are
 * refused (BusyError); while buffers of its fields are alive, steps are (ViewError). */
#include "steer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long it steps before it looks whether Ctrl-C was pressed, s. */
static const double patience = 0.05;

bool core_world_is_free(const core_world *self) {
    if (self->busy)
        core_refuse(core.busy_error, "the world is at work in another thread", "",
                    "wait for it, or give each thread a world of its own");
    return !self->busy;
}

/* False, with an exception that names the fields, while there are views. */
static bool may_change(const core_world *self) {
    char fields[200] = "";
    size_t length = 0;
    tl_field_view view;
    if (!core_world_is_free(self))
        return false;
    for (size_t i = 0; tl_world_field_at(self->world, i, &view); i++)
        if (self->exports[i] > 0 && length + strlen(view.name) + 3 < sizeof fields) {
            memcpy(fields + length, length ? ", " : "", length ? 3 : 1);
            memcpy(fields + strlen(fields), view.name, strlen(view.name) + 1);
            length = strlen(fields);
        }
    if (length > 0)
        core_refuse(core.view_error, "the world cannot change while views of its fields are alive",
                    fields, "del the arrays before the next step, or take copies: field.copy()");
    return length == 0;
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* Makes the world without the lock, or raises. */
static bool make(core_world *self, const tl_world_options *options, const char *snapshot) {
    const tl_scene *scene = self->scene->scene;
    tl_error error = {0};
    tl_status status;
    Py_BEGIN_ALLOW_THREADS status =
        snapshot ? tl_world_load(scene, options, snapshot, &self->world, &error)
                 : tl_world_create(scene, options, &self->world, &error);
    Py_END_ALLOW_THREADS if (status != TL_OK) {
        core_raise(&error, NULL);
        return false;
    }
    self->exports = PyMem_Calloc(tl_world_field_count(self->world), sizeof *self->exports);
    if (!self->exports)
        PyErr_NoMemory();
    return self->exports;
}

static PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"scene", "threads", "snapshot", "steered", NULL};
    tl_world_options options = {0};
    PyObject *scene, *snapshot = NULL;
    int steered = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!|iO&p:World", names, core.scene,
                                     &scene, &options.threads, PyUnicode_FSConverter, &snapshot,
                                     &steered))
        return NULL;
    options.steered = steered;
    core_world *self = NULL;
    if (options.threads < 0) {
        PyErr_SetString(PyExc_ValueError, "threads: 0 for all that the machine has, or a number");
    } else {
        allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
        self = (core_world *)allocate(type, 0);
    }
    if (self) {
        self->scene = (core_scene *)Py_NewRef(scene);
        if (!make(self, &options, snapshot ? PyBytes_AsString(snapshot) : NULL))
            Py_CLEAR(self);
    }
    Py_XDECREF(snapshot);
    return (PyObject *)self;
}

static void destroy(PyObject *object) {
    core_world *self = (core_world *)object;
    PyTypeObject *type = Py_TYPE(object);
    tl_world_destroy(self->world);
    PyMem_Free(self->exports);
    Py_XDECREF((PyObject *)self->scene);
    Py_XDECREF((PyObject *)self->adopted);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static PyObject *step(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    double stop = HUGE_VAL;
    tl_step_report r;
    tl_error error = {0};
    tl_status status;
    if (!PyArg_ParseTuple(arguments, "|d:step", &stop) || !may_change(self))
        return NULL;
    if (!(stop > tl_world_time(self->world)))
        return core_refuse(PyTuple_GetItem(core.errors, TL_BAD_INPUT),
                           "the step would end before it begins", "stop",
                           "give a time later than that of the world");
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS tl_world_set_stop(self->world, stop);
    status = tl_world_step(self->world, &r, &error);
    Py_END_ALLOW_THREADS self->busy = false;
    if (status != TL_OK)
        return core_raise(&error, NULL);
    return Py_BuildValue("(ddKidd)", r.time, r.dt, (unsigned long long)r.step, r.rejected,
                         r.max_speed, r.density_error);
}

/* Steps to a time, without the lock but for looks at signals. *interrupted: an exception is set. */
static tl_status step_to(tl_world *world, double time, bool *interrupted, tl_error *error) {
    tl_status status = TL_OK;
    PyThreadState *thread = PyEval_SaveThread();
    double looked = now();
    tl_world_set_stop(world, time);
    while (status == TL_OK && !*interrupted && tl_world_time(world) < time) {
        status = tl_world_step(world, NULL, error);
        if (now() - looked < patience)
            continue;
        PyEval_RestoreThread(thread);
        *interrupted = PyErr_CheckSignals() != 0;
        thread = PyEval_SaveThread();
        looked = now();
    }
    PyEval_RestoreThread(thread);
    return status;
}

static PyObject *advance(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    bool interrupted = false;
    double time;
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "d:advance", &time) || !may_change(self))
        return NULL;
    if (!isfinite(time))
        return core_refuse(PyTuple_GetItem(core.errors, TL_BAD_INPUT), "it would never end", "time",
                           "give a time in seconds");
    self->busy = true;
    const tl_status status = step_to(self->world, time, &interrupted, &error);
    self->busy = false;
    if (interrupted)
        return NULL;
    if (status != TL_OK)
        return core_raise(&error, NULL);
    return Py_NewRef(Py_None);
}

static PyObject *save(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    PyObject *path;
    tl_error error = {0};
    tl_status status;
    if (!core_world_is_free(self) ||
        !PyArg_ParseTuple(arguments, "O&:save", PyUnicode_FSConverter, &path))
        return NULL;
    const char *name = PyBytes_AsString(path);
    self->busy = true;
    Py_BEGIN_ALLOW_THREADS status = tl_world_save(self->world, name, &error);
    Py_END_ALLOW_THREADS self->busy = false;
    Py_DECREF(path);
    return status == TL_OK ? Py_NewRef(Py_None) : core_raise(&error, NULL);
}

/* ---- Changes --------------------------------------------------------------------------------- */

static PyObject *warm(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    Py_buffer values;
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "y*:warm", &values))
        return NULL;
    PyObject *result = NULL;
    if (!core_world_is_free(self)) {
    } else if ((size_t)values.len != tl_world_count(self->world) * sizeof(float)) {
        PyErr_SetString(PyExc_ValueError, "warm: one float of 32 bits a particle");
    } else {
        const tl_status status = tl_world_warm(self->world, values.buf, &error);
        result = status == TL_OK ? Py_NewRef(Py_None) : core_raise(&error, NULL);
    }
    PyBuffer_Release(&values);
    return result;
}

static PyObject *drive_wall(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    const char *name;
    double velocity[3];
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "s(ddd):drive_wall", &name, &velocity[0], &velocity[1],
                          &velocity[2]) ||
        !core_world_is_free(self))
        return NULL;
    if (tl_world_drive_wall(self->world, name, velocity, &error) != TL_OK)
        return core_raise(&error, NULL);
    return Py_NewRef(Py_None);
}

static PyObject *wall(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    const char *name;
    tl_wall_view view;
    if (!PyArg_ParseTuple(arguments, "s:wall", &name) || !core_world_is_free(self))
        return NULL;
    if (!tl_world_wall(self->world, name, &view)) {
        PyErr_Format(PyExc_KeyError, "the world has no wall \"%s\"", name);
        return NULL;
    }
    return Py_BuildValue("((ddd)(ddd)d)", view.shift[0], view.shift[1], view.shift[2],
                         view.velocity[0], view.velocity[1], view.velocity[2], view.fastest);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static PyObject *books(PyObject *object, PyObject *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    if (!core_world_is_free(self))
        return NULL;
    const size_t count = tl_world_books(self->world, NULL, 0);
    double *numbers = PyMem_Calloc(count, sizeof *numbers);
    if (!numbers)
        return PyErr_NoMemory();
    tl_world_books(self->world, numbers, count);
    PyObject *row = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; row && i < count; i++) {
        PyObject *number = PyFloat_FromDouble(numbers[i]);
        if (!number || PyTuple_SetItem(row, (Py_ssize_t)i, number) < 0)
            Py_CLEAR(row);
    }
    PyMem_Free(numbers);
    return row;
}

static PyObject *field_names(PyObject *object, PyObject *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    PyObject *all = PyList_New(0);
    tl_field_view view;
    for (size_t i = 0; all && tl_world_field_at(self->world, i, &view); i++) {
        PyObject *name = core_text(view.name);
        if (!name || PyList_Append(all, name) < 0)
            Py_CLEAR(all);
        Py_XDECREF(name);
    }
    return all;
}

static PyObject *doubts(PyObject *object, PyObject *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    tl_warning warnings[TL_MOST_WARNINGS];
    if (!core_world_is_free(self))
        return NULL;
    const size_t count = tl_world_warnings(self->world, warnings, TL_MOST_WARNINGS);
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < count; i++) {
        const tl_warning *w = &warnings[i];
        PyObject *message = core_text(w->message), *item = NULL;
        if (message)
            item = Py_BuildValue("{s:s,s:O,s:d,s:d,s:d,s:K}", "code", w->code, "message", message,
                                 "first_time", w->first_time, "worst", w->worst, "limit", w->limit,
                                 "count", (unsigned long long)w->count);
        Py_XDECREF(message);
        if (!item || PyList_Append(all, item) < 0)
            Py_CLEAR(all);
        Py_XDECREF(item);
    }
    return all;
}

static PyObject *get_time(PyObject *object, void *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyFloat_FromDouble(tl_world_time(self->world)) : NULL;
}

static PyObject *get_steps(PyObject *object, void *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyLong_FromUnsignedLongLong(tl_world_steps(self->world))
                                    : NULL;
}

static PyObject *get_hash(PyObject *object, void *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? PyLong_FromUnsignedLongLong(tl_world_hash(self->world))
                                    : NULL;
}

static PyObject *get_scene(PyObject *object, void *nothing) {
    (void)nothing;
    return Py_NewRef((PyObject *)((core_world *)object)->scene);
}

static PyObject *get_busy(PyObject *object, void *nothing) {
    (void)nothing;
    return PyBool_FromLong(((core_world *)object)->busy);
}

static Py_ssize_t length(PyObject *object) {
    core_world *self = (core_world *)object;
    return core_world_is_free(self) ? (Py_ssize_t)tl_world_count(self->world) : -1;
}

static PyMethodDef methods[] = {
    {"step", step, METH_VARARGS,
     "step($self, stop=None, /)\n--\n\nOne step of the world's own choosing, not past the time "
     "`stop`: (time, dt, step, rejected, max_speed, density_error)."},
    {"advance", advance, METH_VARARGS,
     "advance($self, time, /)\n--\n\nSteps until `time` (s) exactly. Ctrl-C stops it between two "
     "steps."},
    {"save", save, METH_VARARGS,
     "save($self, path, /)\n--\n\nWrites a snapshot (HDF5), whole or not at all."},
    {"warm", warm, METH_VARARGS,
     "warm($self, temperatures, /)\n--\n\nGives particles temperatures (°C): a buffer of float32, "
     "NaN leaves one as it is."},
    {"drive_wall", drive_wall, METH_VARARGS,
     "drive_wall($self, name, velocity, /)\n--\n\nFrom now on a wall moves at this velocity (m/s)."
     " Its scene says how fast it may be `driven`."},
    CORE_STEERING,
    {"wall", wall, METH_VARARGS,
     "wall($self, name, /)\n--\n\nA wall as it is now: (shift, velocity, fastest)."},
    {"books", books, METH_NOARGS,
     "books($self, /)\n--\n\nThe books as they stand, in the order of _core.books()."},
    {"field_names", field_names, METH_NOARGS, "field_names($self, /)\n--\n\nNames of its fields."},
    {"doubts", doubts, METH_NOARGS,
     "doubts($self, /)\n--\n\nReasons to doubt its results, a dict each."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"time", get_time, NULL, "Simulated time, s.", NULL},
    {"steps", get_steps, NULL, "Accepted steps so far.", NULL},
    {"hash", get_hash, NULL, "Of every saved bit: equal worlds have equal hashes.", NULL},
    {"scene", get_scene, NULL, "What it was made from.", NULL},
    {"busy", get_busy, NULL, "Whether a thread works on it just now.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "World(scene, threads=0, snapshot=None, steered=False)\n--\n\nAll that changes: "
                "made from a scene, "
                "or from a snapshot of it."},
    {Py_tp_new, create},
    {Py_tp_dealloc, destroy},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {Py_mp_length, length},
    {0, NULL},
};

PyType_Spec core_world_spec = {.name = "tallow._core.World",
                               .basicsize = sizeof(core_world),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
