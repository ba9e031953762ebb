# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens runs of Tallow in Blender: File > Import > Tallow run. Particles are points, surfaces are
meshes; both have the fields of the frames as attributes and follow the frame of the scene."""
import bpy
import numpy as np
from bpy.app.handlers import persistent
from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from . import frames

GROUP = "Tallow points"
RESERVED = {"position", "normal"}  # Blender keeps these itself


# ---- Meshes -------------------------------------------------------------------------------------


def fill_attribute(mesh, name, values):
    """A field as an attribute of the vertices, of Blender's nearest type."""
    old = mesh.attributes.get(name)
    if old:
        mesh.attributes.remove(old)
    if values.ndim == 2 and values.shape[1] == 3:
        attribute = mesh.attributes.new(name, "FLOAT_VECTOR", "POINT")
        attribute.data.foreach_set("vector", values.astype(np.float32).ravel())
    elif values.dtype.kind in "ui":  # 64 bits become 31: equal ones stay equal
        attribute = mesh.attributes.new(name, "INT", "POINT")
        attribute.data.foreach_set("value", (values & 0x7FFFFFFF).astype(np.int32))
    else:
        attribute = mesh.attributes.new(name, "FLOAT", "POINT")
        attribute.data.foreach_set("value", values.astype(np.float32))


def fill_faces(mesh, faces):
    mesh.loops.add(faces.size)
    mesh.polygons.add(len(faces))
    mesh.loops.foreach_set("vertex_index", faces.astype(np.int32).ravel())
    mesh.polygons.foreach_set("loop_start", np.arange(0, faces.size, 3, dtype=np.int32))
    if bpy.app.version < (4, 0):
        mesh.polygons.foreach_set("loop_total", np.full(len(faces), 3, np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), bool))


def fill_mesh(mesh, frame, spacing, speed):
    """Puts a frame into a mesh. `speed`: simulated seconds in a second of the film, by which
    velocities grow: motion blur takes them as lengths a second of the film."""
    mesh.clear_geometry()
    mesh.vertices.add(len(frame.points))
    mesh.vertices.foreach_set("co", frame.points.ravel())
    if frame.faces is not None:
        fill_faces(mesh, frame.faces)
    for name, values in frame.fields.items():
        if name in RESERVED:
            continue
        if values.ndim == 2 and values.shape[1] == 6:
            for part, ending in enumerate(frames.ENDINGS[6]):
                fill_attribute(mesh, f"{name}_{ending}", values[:, part])
        else:
            fill_attribute(mesh, name, values * np.float32(speed) if name == "velocity" else values)
    if frame.faces is None:
        fill_attribute(mesh, "radius", frame.radii(spacing))
    mesh.update(calc_edges=frame.faces is not None)


# ---- Points -------------------------------------------------------------------------------------


def add_geometry_socket(group, direction):
    if hasattr(group, "interface"):
        group.interface.new_socket("Geometry", in_out=direction, socket_type="NodeSocketGeometry")
    else:
        sockets = group.inputs if direction == "INPUT" else group.outputs
        sockets.new("NodeSocketGeometry", "Geometry")


def points_group():
    """Geometry nodes that make points of vertices, with the radius of the attribute."""
    group = bpy.data.node_groups.get(GROUP)
    if group:
        return group
    group = bpy.data.node_groups.new(GROUP, "GeometryNodeTree")
    add_geometry_socket(group, "INPUT")
    add_geometry_socket(group, "OUTPUT")
    start, end = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    radius = group.nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    points = group.nodes.new("GeometryNodeMeshToPoints")
    value = next(s for s in radius.outputs if s.name == "Attribute" and s.enabled)
    group.links.new(start.outputs[0], points.inputs["Mesh"])
    group.links.new(value, points.inputs["Radius"])
    group.links.new(points.outputs[0], end.inputs[0])
    for column, node in enumerate((start, radius, points, end)):
        node.location = (200 * column, -150 if node is radius else 0)
    return group


# ---- Objects ------------------------------------------------------------------------------------


def show(item, scene):
    """The frame of the run that belongs to the frame of the scene. An object that is copied or
    saved knows its run by itself."""
    run = frames.Run(bpy.path.abspath(item["tallow_run"]), item["tallow_surface"])
    number = scene.frame_current - item["tallow_start"]
    film_rate = scene.render.fps / scene.render.fps_base
    fill_mesh(item.data, run.frame(number), run.spacing, film_rate / run.frame_rate)


@persistent
def follow(scene, _depsgraph=None):
    for item in scene.objects:
        if "tallow_run" in item:
            try:
                show(item, scene)
            except (OSError, ValueError) as reason:  # keeps what it showed
                print(f"Tallow: {reason}")


def open_run(context, path, surface=False, start=1):
    """Adds an object that shows a run, and returns it."""
    run = frames.Run(path, surface)
    name = bpy.path.display_name_from_filepath(run.folder)
    item = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    item["tallow_run"], item["tallow_surface"], item["tallow_start"] = run.folder, surface, start
    show(item, context.scene)
    if not surface:
        item.modifiers.new(GROUP, "NODES").node_group = points_group()
    context.collection.objects.link(item)
    context.scene.frame_end = max(context.scene.frame_end, start + len(run.paths) - 1)
    return item


class TALLOW_OT_import(bpy.types.Operator, ImportHelper):
    """Open a run of Tallow"""

    bl_idname = "import_scene.tallow"
    bl_label = "Import Tallow run"
    bl_options = {"REGISTER", "UNDO"}
    filter_glob: StringProperty(default="*.pvd;*.yaml;*.vtp;*.ply", options={"HIDDEN"})
    what: EnumProperty(name="Show", items=[
        ("PARTICLES", "Particles", "Points with their radius, from frames/"),
        ("SURFACE", "Surface", "Meshes, from surface/, which `tallow surface` makes")])
    start: IntProperty(name="Start", default=1, description="Frame of the scene for frame 0")

    def execute(self, context):
        try:
            open_run(context, self.filepath, self.what == "SURFACE", self.start)
        except (OSError, ValueError) as reason:
            self.report({"ERROR"}, str(reason))
            return {"CANCELLED"}
        return {"FINISHED"}


def add_to_menu(menu, _context):
    menu.layout.operator(TALLOW_OT_import.bl_idname, text="Tallow run (frames.pvd)")


def register():
    bpy.utils.register_class(TALLOW_OT_import)
    bpy.types.TOPBAR_MT_file_import.append(add_to_menu)
    bpy.app.handlers.frame_change_pre.append(follow)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(follow)
    bpy.types.TOPBAR_MT_file_import.remove(add_to_menu)
    bpy.utils.unregister_class(TALLOW_OT_import)
