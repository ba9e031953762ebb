/* The module tallow._core, and how its errors become exceptions. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

core_names core;

PyObject *core_text(const char *text) {
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* Steals the findings. */
static PyObject *raise_with(PyObject *type, const char *what, const char *where, const char *fix,
                            PyObject *findings) {
    PyObject *exception = NULL, *texts[3] = {core_text(what), core_text(where), core_text(fix)};
    if (texts[0] && texts[1] && texts[2] && findings)
        exception = PyObject_CallFunction(type, "OOOO", texts[0], texts[1], texts[2], findings);
    for (int k = 0; k < 3; k++)
        Py_XDECREF(texts[k]);
    Py_XDECREF(findings);
    if (exception)
        PyErr_SetObject(type, exception);
    Py_XDECREF(exception);
    return NULL;
}

PyObject *core_raise(const tl_error *error, PyObject *findings) {
    PyObject *type = PyTuple_GetItem(core.errors, (Py_ssize_t)error->status);
    if (!type)
        return NULL;
    return raise_with(type, error->what, error->where, error->fix,
                      findings ? Py_NewRef(findings) : PyTuple_New(0));
}

PyObject *core_refuse(PyObject *type, const char *what, const char *where, const char *fix) {
    return raise_with(type, what, where, fix, PyTuple_New(0));
}

static PyObject *describe(PyObject *module, PyObject *arguments) {
    (void)module;
    const char *part = NULL;
    char *text;
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "|z:describe", &part))
        return NULL;
    if (tl_describe(part, &text, &error) != TL_OK)
        return core_raise(&error, NULL);
    PyObject *result = core_text(text);
    free(text);
    return result;
}

static PyObject *books(PyObject *module, PyObject *nothing) {
    (void)module, (void)nothing;
    PyObject *all = PyList_New(0);
    tl_book book;
    for (size_t i = 0; all && tl_book_at(i, &book); i++) {
        PyObject *row = Py_BuildValue("(sss)", book.name, book.unit, book.doc);
        if (!row || PyList_Append(all, row) < 0)
            Py_CLEAR(all);
        Py_XDECREF(row);
    }
    return all;
}

static PyMethodDef functions[] = {
    {"describe", describe, METH_VARARGS,
     "describe(part=None, /)\n--\n\nThe parameters of a part of scenes, or of all, as JSON."},
    {"books", books, METH_NOARGS,
     "books()\n--\n\nThe columns of the ledger: (name, unit, doc) of each."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "tallow._core", .m_size = -1, .m_methods = functions,
    .m_doc = "The compiled part of tallow: use tallow.Scene and tallow.World."};

static bool find_names(void) {
    PyObject *errors = PyImport_ImportModule("tallow._errors");
    if (!errors)
        return false;
    core.errors = PyObject_GetAttrString(errors, "BY_STATUS");
    core.finding = PyObject_GetAttrString(errors, "Finding");
    core.view_error = PyObject_GetAttrString(errors, "ViewError");
    core.busy_error = PyObject_GetAttrString(errors, "BusyError");
    Py_DECREF(errors);
    return core.errors && core.finding && core.view_error && core.busy_error;
}

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out) {
    *out = (PyTypeObject *)PyType_FromSpec(spec);
    return *out && PyModule_AddType(module, *out) == 0;
}

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (find_names() && add_type(module, &core_scene_spec, &core.scene) &&
        add_type(module, &core_world_spec, &core.world) &&
        add_type(module, &core_field_spec, &core.field) &&
        PyModule_AddStringConstant(module, "version", tl_version()) == 0)
        return module;
    Py_DECREF(module);
    return NULL;
}
