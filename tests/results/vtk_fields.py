import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tools"))

from case import check, finish, run, series
from skew import SETTINGS, SIZE, CELLS, same

# Several fields, one of them without times, and a part of the cells, as VTK reads them by way of
# run.vtkhdf.
try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkVersion
    from vtkmodules.vtkIOHDF import vtkHDFReader
except ImportError as error:
    print(f"skipped: VTK's Python module is not installed (pip install vtk): {error}")
    sys.exit(77)
VERSION = (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion())
if VERSION < (9, 3):
    print("skipped: VTK is older than 9.3")
    sys.exit(77)

FIELDS = ["temperature", "heat_flux_x", "heat_flux_y", "gradient", "material"]
STILLS = ["conductivity_x", "conductivity_y", "volumetric_heat_capacity"]
two = {**SETTINGS,
       "materials": (*SETTINGS["materials"], {"name": "other", "conductivity": 3.0, "density": 2.0,
                                              "heat_capacity": 1.0}),
       "geometry": {"shapes": ({"type": "rectangle", "from": [0.1, 0.0], "to": [0.2, 0.05],
                                "material": "other"},)}}


def look(folder, first, stride, cells):
    reader = vtkHDFReader()
    reader.SetFileName(os.path.join(folder, "run.vtkhdf"))
    reader.UpdateInformation()
    times = series(folder, "time")
    check(reader.GetNumberOfSteps() == len(times), f"{folder}: times")
    for step in range(len(times)):
        reader.SetStep(step)
        reader.Update()
        image = reader.GetOutputDataObject(0)
        data = image.GetCellData()
        names = {data.GetArrayName(k) for k in range(data.GetNumberOfArrays())}
        check(names == set(FIELDS + STILLS), f"{folder}: {names}")
        for name in names:
            wanted = series(folder, name)
            wanted = wanted if name in ["material", *STILLS] else wanted[step]
            same(vtk_to_numpy(data.GetArray(name)), wanted.ravel(), f"{folder}: {name}, time {step}")
        if VERSION >= (9, 7):
            check(data.GetScalars() and data.GetScalars().GetName() == "temperature",
                  f"{folder}: coloured by the temperature")
    bounds = []
    for axis in range(2):
        d = SIZE[axis] / CELLS[axis]
        low = (first[axis] - (stride[axis] - 1) / 2) * d
        bounds += [low, low + cells[axis] * stride[axis] * d]
    same(image.GetBounds(), [*bounds, 0, 0], f"{folder}: bounds", 1e-15)


fields = {**two, "output": {**SETTINGS["output"], "fields": FIELDS}}
look(run("whole", fields), (0, 0), (1, 1), CELLS)
part = {**fields, "output": {**fields["output"], "stride": [4, 2],
                             "region": {"from": [0.05, 0.03], "to": [0.27, 0.1]}}}
look(run("part", part), (5, 2), (4, 2), (6, 3))
finish()
