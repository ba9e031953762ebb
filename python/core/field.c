/* _core.Field: one field of a world, shown in place through the buffer protocol. A field may be
 * kept over steps: each export shows the array as it is then. As long as an export is alive the
 * world refuses to step, so that none ever points to memory which has been freed or sorted. Whole
 * numbers (they index other things), and what follows from other fields, are for reading alone. */
#include "core.h"

#include <string.h>

static tl_field_view view_of(const core_field *self) {
    tl_field_view view = {0};
    tl_world_field_at(self->world->world, self->index, &view);
    return view;
}

static bool is_writable(const tl_field_view *view) {
    return view->is_state && (view->type == TL_F32 || view->type == TL_F64);
}

static const char *format_of(tl_type type) {
    static const char *const formats[] = {
        [TL_F32] = "f", [TL_F64] = "d", [TL_U8] = "B", [TL_U32] = "I", [TL_U64] = "Q"};
    return formats[type];
}

/* ---- Exports --------------------------------------------------------------------------------- */

/* Lives as long as the export. */
typedef struct layout {
    Py_ssize_t shape[2], strides[2];
} layout;

static bool suits(const tl_field_view *field, int flags) {
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE && !is_writable(field)) {
        PyErr_Format(PyExc_BufferError, "%s is for reading alone", field->name);
        return false;
    }
    const bool rows_only = field->components > 1 && field->count > 1;
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && rows_only) {
        PyErr_Format(PyExc_BufferError, "%s has the components of a particle together",
                     field->name);
        return false;
    }
    return true;
}

static int get_buffer(PyObject *object, Py_buffer *out, int flags) {
    core_field *self = (core_field *)object;
    out->obj = NULL;
    if (!core_world_is_free(self->world))
        return -1;
    const tl_field_view field = view_of(self);
    if (!suits(&field, flags))
        return -1;
    layout *l = PyMem_Calloc(1, sizeof *l);
    if (!l) {
        PyErr_NoMemory();
        return -1;
    }
    const Py_ssize_t size = (Py_ssize_t)tl_type_size(field.type);
    const Py_ssize_t count = (Py_ssize_t)field.count, width = field.components;
    *l = (layout){{count, width}, {width * size, size}};
    *out = (Py_buffer){.buf = field.data,
                       .obj = Py_NewRef(object),
                       .len = count * width * size,
                       .itemsize = size,
                       .readonly = !is_writable(&field),
                       .ndim = width > 1 ? 2 : 1,
                       .internal = l};
    if (flags & PyBUF_FORMAT)
        out->format = (char *)(uintptr_t)format_of(field.type);
    if (flags & PyBUF_ND)
        out->shape = l->shape;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES)
        out->strides = l->strides;
    self->world->exports[self->index]++;
    return 0;
}

static void release_buffer(PyObject *object, Py_buffer *view) {
    core_field *self = (core_field *)object;
    PyMem_Free(view->internal);
    self->world->exports[self->index]--;
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static PyObject *get_name(PyObject *object, void *nothing) {
    (void)nothing;
    return core_text(view_of((core_field *)object).name);
}

static PyObject *get_unit(PyObject *object, void *nothing) {
    (void)nothing;
    return core_text(view_of((core_field *)object).unit);
}

static PyObject *get_doc(PyObject *object, void *nothing) {
    (void)nothing;
    return core_text(view_of((core_field *)object).doc);
}

static PyObject *get_shape(PyObject *object, void *nothing) {
    (void)nothing;
    if (!core_world_is_free(((core_field *)object)->world))
        return NULL;
    const tl_field_view v = view_of((core_field *)object);
    const Py_ssize_t count = (Py_ssize_t)v.count;
    return v.components > 1 ? Py_BuildValue("(ni)", count, v.components)
                            : Py_BuildValue("(n)", count);
}

static PyObject *get_writable(PyObject *object, void *nothing) {
    (void)nothing;
    const tl_field_view view = view_of((core_field *)object);
    return PyBool_FromLong(is_writable(&view));
}

static PyObject *get_address(PyObject *object, void *nothing) {
    (void)nothing;
    if (!core_world_is_free(((core_field *)object)->world))
        return NULL;
    return PyLong_FromVoidPtr(view_of((core_field *)object).data);
}

static Py_ssize_t length(PyObject *object) {
    const core_field *self = (core_field *)object;
    return core_world_is_free(self->world) ? (Py_ssize_t)tl_world_count(self->world->world) : -1;
}

static PyGetSetDef attributes[] = {
    {"name", get_name, NULL, "Its name.", NULL},
    {"unit", get_unit, NULL, "The unit of its numbers.", NULL},
    {"doc", get_doc, NULL, "What it is.", NULL},
    {"shape", get_shape, NULL, "(particles,) or (particles, components).", NULL},
    {"writable", get_writable, NULL,
     "Whether it may be written: numbers of the state that are not whole.", NULL},
    {"address", get_address, NULL, "Where the world has it, until the next step.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    core_world *world;
    const char *name;
    if (keywords && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "Field takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(arguments, "O!s:Field", core.world, &world, &name))
        return NULL;
    tl_field_view view;
    size_t index = 0;
    while (tl_world_field_at(world->world, index, &view) && strcmp(view.name, name) != 0)
        index++;
    if (index == tl_world_field_count(world->world)) {
        PyErr_Format(PyExc_KeyError, "the world has no field \"%s\"", name);
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_field *self = (core_field *)allocate(type, 0);
    if (self) {
        self->world = (core_world *)Py_NewRef((PyObject *)world);
        self->index = index;
    }
    return (PyObject *)self;
}

static void destroy(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF((PyObject *)((core_field *)object)->world);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Field(world, name, /)\n--\n\nA field of a world, in place: memoryview(field) and "
                "numpy.asarray(field) show it without a copy."},
    {Py_tp_new, create},
    {Py_tp_dealloc, destroy},
    {Py_tp_getset, attributes},
    {Py_sq_length, length},
    {Py_bf_getbuffer, get_buffer},
    {Py_bf_releasebuffer, release_buffer},
    {0, NULL},
};

PyType_Spec core_field_spec = {.name = "tallow._core.Field",
                               .basicsize = sizeof(core_field),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
