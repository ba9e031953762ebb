/* _core.Scene: a scene that was read, completed and checked. */
#include "core.h"

#include <stdlib.h>

/* A tuple of findings. */
static PyObject *findings_of(const tl_diagnostics *all) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)all->count);
    for (size_t i = 0; tuple && i < all->count; i++) {
        const tl_diagnostic *d = &all->items[i];
        PyObject *file = core_text(d->file), *source = core_text(d->source);
        PyObject *what = core_text(d->what), *hint = core_text(d->hint), *item = NULL;
        if (file && source && what && hint)
            item =
                PyObject_CallFunction(core.finding, "sOiiOOO", d->is_warning ? "warning" : "error",
                                      file, d->line, d->column, what, hint, source);
        Py_XDECREF(file), Py_XDECREF(source), Py_XDECREF(what), Py_XDECREF(hint);
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* The texts of a sequence of str, which they belong to; NULL with an exception. Freed with
 * PyMem_Free. */
static const char **texts_of(PyObject *sequence, size_t *count) {
    const Py_ssize_t size = sequence ? PySequence_Size(sequence) : 0;
    if (size < 0)
        return NULL;
    const char **texts = PyMem_Calloc((size_t)size + 1, sizeof *texts);
    if (!texts) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        texts[i] = item ? PyUnicode_AsUTF8AndSize(item, NULL) : NULL;
        Py_XDECREF(item);
        if (!texts[i]) {
            PyMem_Free(texts);
            return NULL;
        }
    }
    *count = (size_t)size;
    return texts;
}

typedef struct source {
    const char *path; /* NULL: the text */
    const char *text, *name;
    Py_ssize_t size;
} source;

/* Loads without the lock and fills `self`, or raises. */
static bool load(core_scene *self, const source *from, const char *const *overrides,
                 size_t override_count) {
    tl_diagnostics findings = {0};
    tl_error error = {0};
    tl_status status;
    const tl_scene_options options = {overrides, override_count, &findings};
    Py_BEGIN_ALLOW_THREADS status =
        from->path ? tl_scene_load_file(from->path, &options, &self->scene, &error)
                   : tl_scene_load_memory(from->text, (size_t)from->size, from->name, &options,
                                          &self->scene, &error);
    Py_END_ALLOW_THREADS self->findings = findings_of(&findings);
    tl_diagnostics_clear(&findings);
    if (self->findings && status != TL_OK)
        core_raise(&error, self->findings);
    return self->findings && status == TL_OK;
}

static PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"path", "text", "name", "overrides", NULL};
    source from = {.name = "text"};
    PyObject *path = NULL, *overrides = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O&z#sO:Scene", names,
                                     PyUnicode_FSConverter, &path, &from.text, &from.size,
                                     &from.name, &overrides))
        return NULL;
    core_scene *self = NULL;
    if (!path == !from.text) {
        PyErr_SetString(PyExc_TypeError, "either a path or a text");
    } else {
        size_t count = 0;
        const char **texts = texts_of(overrides, &count);
        from.path = path ? PyBytes_AsString(path) : NULL;
        allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
        self = texts ? (core_scene *)allocate(type, 0) : NULL;
        if (self && !load(self, &from, texts, count))
            Py_CLEAR(self);
        PyMem_Free(texts);
    }
    Py_XDECREF(path);
    return (PyObject *)self;
}

static void destroy(PyObject *object) {
    core_scene *self = (core_scene *)object;
    PyTypeObject *type = Py_TYPE(object);
    tl_scene_destroy(self->scene);
    Py_XDECREF(self->findings);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyObject *to_yaml(PyObject *object, PyObject *nothing) {
    (void)nothing;
    char *text;
    tl_error error = {0};
    if (tl_scene_write(((core_scene *)object)->scene, &text, &error) != TL_OK)
        return core_raise(&error, NULL);
    PyObject *result = core_text(text);
    free(text);
    return result;
}

static PyObject *get_title(PyObject *object, void *nothing) {
    (void)nothing;
    const char *title = tl_scene_title(((core_scene *)object)->scene);
    return core_text(title ? title : "");
}

/* One of the functions that tell a number of a scene. */
typedef struct number {
    double (*of)(const tl_scene *scene);
} number;
static number duration = {tl_scene_duration}, frame_rate = {tl_scene_frame_rate},
              spacing = {tl_scene_spacing};

static PyObject *get_number(PyObject *object, void *which) {
    return PyFloat_FromDouble(((const number *)which)->of(((core_scene *)object)->scene));
}

static PyObject *get_findings(PyObject *object, void *nothing) {
    (void)nothing;
    return Py_NewRef(((core_scene *)object)->findings);
}

static PyMethodDef methods[] = {
    {"to_yaml", to_yaml, METH_NOARGS,
     "to_yaml($self, /)\n--\n\nThe whole scene, defaults included, as YAML that loads to the same "
     "scene."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"title", get_title, NULL, "What is to be seen.", NULL},
    {"duration", get_number, NULL, "Simulated time of the whole, s.", &duration},
    {"frame_rate", get_number, NULL, "Frames a second.", &frame_rate},
    {"spacing", get_number, NULL, "Distance of particles, m.", &spacing},
    {"warnings", get_findings, NULL, "Findings that do not stop it: a tuple of Finding.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Scene(path=None, text=None, name='text', overrides=())\n--\n\nA scene that was "
                "read, completed and checked; it never changes."},
    {Py_tp_new, create},
    {Py_tp_dealloc, destroy},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

PyType_Spec core_scene_spec = {.name = "tallow._core.Scene",
                               .basicsize = sizeof(core_scene),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
