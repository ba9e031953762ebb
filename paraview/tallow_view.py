"""Opens a run of Tallow in ParaView as balls of the particles' size, coloured by temperature or
velocity, with the camera on the whole run and the time of the simulation.

In ParaView: Macros > Import new macro; it takes the run of $TALLOW_RUN, or the frames.pvd that is
open and selected. From a shell, with a picture of the last frame or of all:

    pvpython tallow_view.py out/candle [--colour FIELD] [--picture FILE.png] [--frames]
"""
import argparse
import os
import re
import sys

from paraview import simple


def spacing_of(folder):
    """The particle spacing that run.yaml tells, m."""
    with open(os.path.join(folder, "run.yaml"), encoding="utf-8") as file:
        return float(re.search(r"^spacing: (\S+)", file.read(), re.MULTILINE)[1])


def folder_of(path):
    return path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path))


def choose_colour(names, wanted):
    """What is asked for; else the temperature if it differs anywhere, else the velocity."""
    if wanted and wanted not in names:
        raise SystemExit(f"no field {wanted}; there are: {', '.join(sorted(names))}")
    low, high = names.get("temperature", (0, 0))
    return wanted or ("temperature" if high - low > 1e-3 else "velocity")


def ranges_of(source, times):
    """The least and the largest value of each field at the first, middle and last time; of
    vectors, the magnitude's."""
    found = {}
    for time in {times[0], times[len(times) // 2], times[-1]}:
        source.UpdatePipeline(time)
        for array in source.PointData.values():
            low, high = array.GetRange(-1 if array.GetNumberOfComponents() > 1 else 0)
            old = found.get(array.GetName(), (low, high))
            found[array.GetName()] = (min(low, old[0]), max(high, old[1]))
    return found


def show_balls(source, view, spacing, fields):
    """Point Gaussian with opaque balls, half a size in radius: of all, or of each particle."""
    display = simple.Show(source, view)
    display.SetRepresentationType("Point Gaussian")
    display.ShaderPreset = "Sphere"
    display.GaussianRadius = 0.5 * spacing
    if "size" in fields:
        display.ScaleByArray = 1
        display.SetScaleArray = ["POINTS", "size"]
        display.UseScaleFunction = 0
        display.GaussianRadius = 0.5
    return display


def colour(display, view, name, limits):
    simple.ColorBy(display, ("POINTS", name))
    table = simple.GetColorTransferFunction(name)
    preset = "Inferno" if name == "temperature" else "Viridis"
    table.ApplyPreset(f"{preset} (matplotlib)", True)
    table.RescaleTransferFunction(*limits)
    display.SetScalarBarVisibility(view, True)


def look_at(source, view, times):
    """From the side and above, on all that the first and the last frame hold; z is up."""
    low, high = [float("inf")] * 3, [float("-inf")] * 3
    for time in (times[0], times[-1]):
        source.UpdatePipeline(time)
        bounds = source.GetDataInformation().GetBounds()
        low = [min(a, b) for a, b in zip(low, bounds[0::2])]
        high = [max(a, b) for a, b in zip(high, bounds[1::2])]
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    reach = sum((b - a) ** 2 for a, b in zip(low, high)) ** 0.5 or 1.0
    view.CameraFocalPoint = middle
    view.CameraPosition = [m + 1.6 * reach * d for m, d in zip(middle, (0.5, -0.8, 0.35))]
    view.CameraViewUp = [0, 0, 1]


def open_run(path, wanted=None, source=None):
    """Shows a run and returns its view. `source`: a reader that is there already."""
    folder = folder_of(path)
    source = source or simple.PVDReader(FileName=os.path.join(folder, "frames.pvd"))
    source.UpdatePipelineInformation()
    times = list(source.TimestepValues)
    fields = ranges_of(source, times)
    view = simple.GetActiveViewOrCreate("RenderView")
    display = show_balls(source, view, spacing_of(folder), fields)
    name = choose_colour(fields, wanted)
    colour(display, view, name, fields[name])
    simple.AnnotateTimeFilter(Input=source, Format="{time:.3f} s")
    simple.Show(simple.GetActiveSource(), view)
    look_at(source, view, times)
    simple.SetActiveSource(source)
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    view.ViewTime = times[-1]
    simple.Render(view)
    return view


def main():
    parser = argparse.ArgumentParser(description="Show a run of Tallow in ParaView.")
    parser.add_argument("run", help="folder of a run, or its frames.pvd")
    parser.add_argument("--colour", metavar="FIELD", help="[temperature if it differs or velocity]")
    parser.add_argument("--picture", metavar="FILE.png")
    parser.add_argument("--frames", action="store_true", help="a picture of every frame")
    given = parser.parse_args()
    view = open_run(given.run, given.colour)
    view.ViewSize = [1280, 720]
    if given.picture and given.frames:
        simple.SaveAnimation(given.picture, view)
    elif given.picture:
        simple.SaveScreenshot(given.picture, view)
    else:
        simple.Interact(view)


def as_macro():
    chosen = simple.GetActiveSource()
    path = os.environ.get("TALLOW_RUN") or getattr(chosen, "FileName", None)
    if not path:
        raise SystemExit("open frames.pvd of a run and select it, or set TALLOW_RUN")
    open_run(path, source=None if os.environ.get("TALLOW_RUN") else chosen)


if __name__ == "__main__":
    main() if len(sys.argv) > 1 else as_macro()
