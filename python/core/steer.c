/* What a program does to a steered world while it runs: methods of _core.World. */
#include "steer.h"

#define VECTOR(v) &(v)[0], &(v)[1], &(v)[2]

static PyObject *none_or_raise(tl_status status, const tl_error *error) {
    return status == TL_OK ? Py_NewRef(Py_None) : core_raise(error, NULL);
}

PyObject *core_world_adopt(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    PyObject *scene;
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "O!:adopt", core.scene, &scene) || !core_world_is_free(self))
        return NULL;
    if (tl_world_adopt(self->world, ((core_scene *)scene)->scene, &error) != TL_OK)
        return core_raise(&error, NULL);
    PyObject *before = (PyObject *)self->adopted;
    self->adopted = (core_scene *)Py_NewRef(scene); /* it has to outlive the world */
    Py_XDECREF(before);
    return Py_NewRef(Py_None);
}

PyObject *core_world_set_gravity(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    double g[3];
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "(ddd):set_gravity", VECTOR(g)) || !core_world_is_free(self))
        return NULL;
    return none_or_raise(tl_world_set_gravity(self->world, g, &error), &error);
}

PyObject *core_world_gravity(PyObject *object, PyObject *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    double g[3];
    if (!core_world_is_free(self))
        return NULL;
    tl_world_gravity(self->world, g);
    return Py_BuildValue("(ddd)", g[0], g[1], g[2]);
}

PyObject *core_world_place_source(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    const char *name;
    double place[3];
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "s(ddd):place_source", &name, VECTOR(place)) ||
        !core_world_is_free(self))
        return NULL;
    return none_or_raise(tl_world_place_source(self->world, name, place, &error), &error);
}

PyObject *core_world_grip(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    double place[3], radius, strength;
    size_t caught;
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "(ddd)dd:grip", VECTOR(place), &radius, &strength) ||
        !core_world_is_free(self))
        return NULL;
    if (tl_world_grip(self->world, place, radius, strength, &caught, &error) != TL_OK)
        return core_raise(&error, NULL);
    return PyLong_FromSize_t(caught);
}

PyObject *core_world_carry(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    double place[3];
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "(ddd):carry", VECTOR(place)) || !core_world_is_free(self))
        return NULL;
    return none_or_raise(tl_world_carry(self->world, place, &error), &error);
}

PyObject *core_world_let_go(PyObject *object, PyObject *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    if (!core_world_is_free(self))
        return NULL;
    tl_world_let_go(self->world);
    return Py_NewRef(Py_None);
}

PyObject *core_world_pour(PyObject *object, PyObject *arguments) {
    core_world *self = (core_world *)object;
    tl_stream s = {0};
    Py_ssize_t most;
    tl_error error = {0};
    if (!PyArg_ParseTuple(arguments, "s(ddd)(ddd)ddn:pour", &s.material, VECTOR(s.place),
                          VECTOR(s.velocity), &s.radius, &s.temperature, &most) ||
        !core_world_is_free(self))
        return NULL;
    s.most = most > 0 ? (size_t)most : 0;
    return none_or_raise(tl_world_pour(self->world, &s, &error), &error);
}

PyObject *core_world_stop_pouring(PyObject *object, PyObject *nothing) {
    (void)nothing;
    core_world *self = (core_world *)object;
    if (!core_world_is_free(self))
        return NULL;
    tl_world_stop_pouring(self->world);
    return Py_NewRef(Py_None);
}

PyObject *core_world_pouring(PyObject *object, PyObject *nothing) {
    (void)nothing;
    static const char *const words[] = {"nothing", "pouring", "blocked", "full"};
    core_world *self = (core_world *)object;
    if (!core_world_is_free(self))
        return NULL;
    return PyUnicode_FromString(words[tl_world_pouring(self->world)]);
}
