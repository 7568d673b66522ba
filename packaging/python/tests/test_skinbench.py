"""The module against h5py, and against skinning and errors that NumPy finds on its own. SKINBENCH names the program."""
import csv
import gc
import inspect
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy
import skinbench

# A tetrahedron in the unit ball, whose corners are on it.
TETRAHEDRON = numpy.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], "float32") / numpy.float32(3 ** 0.5)
FACES = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]


def linear_blend(rest, joints, weights, transforms):
    """Linear blend skinning, SBS eq. 1: every influence's transform of the rest point, weighted."""
    points = numpy.concatenate([rest.astype("float64"), numpy.ones((len(rest), 1))], axis=1)
    moved = numpy.einsum("fnkab,nb->fnka", transforms[:, joints], points)
    return numpy.einsum("nk,fnka->fna", weights.astype("float64"), moved)


class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)


class Arrays(Case):
    def test_views_are_the_library_s_memory_and_keep_it(self):
        rig = skinbench.generate("rig", vertices=1000, frames=2)
        view = rig.transforms
        self.assertEqual(view.ctypes.data, rig._arrays.transforms)
        self.assertIs(view.base.owner, rig)
        expected = view.copy()
        del rig
        gc.collect()
        skinbench.generate("rig", vertices=1000, frames=2, seed=2)
        numpy.testing.assert_array_equal(view, expected)
        with self.assertRaises(ValueError):
            view[0] = 0.0
        part = view[1, 3:5]
        del view
        gc.collect()
        numpy.testing.assert_array_equal(part, expected[1, 3:5])

    def test_h5py_finds_what_was_saved(self):
        rig = skinbench.generate("rig", vertices=1000, frames=3)
        rig.save(self.place / "rig.h5")
        with h5py.File(self.place / "rig.h5") as file:
            self.assertEqual(file.attrs["format"], b"skinbench")
            for array, name in {"rest": "mesh/rest", "triangles": "mesh/triangles", "parents": "rig/parents",
                                "joint_rest": "rig/rest", "transforms": "rig/transforms",
                                "weight_joints": "rig/weights/joints", "weights": "rig/weights/values"}.items():
                stored, own = file[name][:], getattr(rig, array)
                self.assertEqual((stored.dtype, stored.shape), (own.dtype, own.shape), name)
                numpy.testing.assert_array_equal(stored, own, name)
            self.assertEqual([text.decode() for text in file["rig/joint_names"]], rig.joint_names)

    def test_what_h5py_wrote_is_loaded(self):
        positions = numpy.stack([TETRAHEDRON, 2 * TETRAHEDRON])
        with h5py.File(self.place / "mesh.h5", "w") as file:
            file.attrs.update(format="skinbench", schema_version=1, name="tetra é", title="", source="", license="", fps=25.0)
            file["mesh/rest"], file["mesh/triangles"] = TETRAHEDRON, numpy.array(FACES, "int32")
            file["animation/positions"] = positions
        loaded = skinbench.load(self.place / "mesh.h5")
        self.assertEqual((loaded.name, loaded.fps), ("tetra é", 25.0))
        numpy.testing.assert_array_equal(loaded.positions, positions)
        self.assertIsNone(loaded.transforms)
        with self.assertRaises(AttributeError):
            loaded.colours

    def test_arrays_of_any_layout_are_copied(self):
        positions = numpy.asfortranarray(numpy.stack([TETRAHEDRON, 2 * TETRAHEDRON]), "float64")
        made = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, positions=positions, fps=30)
        numpy.testing.assert_array_equal(made.positions, positions.astype("float32"))
        numpy.testing.assert_array_equal(made.triangles, FACES)

    def test_rig_of_weights_alone_takes_poses(self):
        rig = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, weights=numpy.ones((4, 1)), weight_joints=[[0], [0], [1], [1]])
        self.assertEqual(rig.joint_names, ["bone_0", "bone_1"])
        lifted = numpy.array([numpy.eye(3, 4), numpy.eye(3, 4)])
        lifted[1, :, 3] = 1, 2, 3
        expected = TETRAHEDRON + [[0, 0, 0], [0, 0, 0], [1, 2, 3], [1, 2, 3]]
        numpy.testing.assert_allclose(skinbench.skin(rig, "lbs", lifted)[0], expected, atol=1e-6)

    def test_wrong_shapes_are_refused(self):
        for arrays in ({"positions": TETRAHEDRON}, {"positions": numpy.zeros((2, 5, 3))}, {"basis": numpy.zeros((4, 1)),
                       "coefficients": numpy.zeros((1, 4))}, {"weights": numpy.ones((4, 1))},
                       {"weights": numpy.ones((4, 1)), "weight_joints": numpy.full((4, 1), 7), "parents": [-1]}):
            with self.assertRaises(ValueError, msg=str(arrays)):
                skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, **arrays)
        with self.assertRaises(TypeError):
            skinbench.Dataset.from_arrays(TETRAHEDRON, colors=TETRAHEDRON)


class Skinning(Case):
    def test_linear_blend_is_numpy_s(self):
        rig = skinbench.generate("rig", vertices=2000, frames=5)
        expected = linear_blend(rig.rest, rig.weight_joints, rig.weights, rig.transforms)
        for backend in ("reference", "scalar", "simd"):
            got = skinbench.skin(rig, "lbs", backend=backend, threads=2)
            self.assertLess(abs(got - expected).max(), 2e-6, backend)

    def test_poses_of_the_caller(self):
        rig = skinbench.generate("rig", vertices=1000, frames=2)
        skinner = skinbench.Skinner(rig, "lbs", threads=1)
        turn = numpy.tile([[0.0, -1, 0, 5], [1, 0, 0, 0], [0, 0, 1, 0]], (len(rig.parents), 1, 1))
        out = numpy.empty((1, 1000, 3), "float32")
        self.assertIs(skinner.poses(turn, out=out), out)
        x, y, z = rig.rest.T  # all joints alike: the mesh moves as a whole
        numpy.testing.assert_allclose(out[0], numpy.stack([5 - y, x, z], axis=1), atol=1e-6)
        with self.assertRaises(ValueError):
            skinner.poses(turn[1:])
        with self.assertRaises(ValueError):
            skinner.frames(out=out[:, ::2])
        with self.assertRaises(ValueError):
            skinner.frames(out=numpy.empty((2, 1000, 3)))

    def test_normals_are_of_length_one(self):
        rig = skinbench.generate("rig", vertices=1000, frames=2)
        positions, normals = skinbench.skin(rig, "dqs", normals=True, hemisphere="first")
        self.assertEqual(positions.shape, (2, 1000, 3))
        numpy.testing.assert_allclose(numpy.linalg.norm(normals, axis=2), 1.0, atol=1e-5)


class Measuring(Case):
    def test_errors_are_numpy_s(self):
        frames = numpy.stack([TETRAHEDRON, TETRAHEDRON + numpy.float32(0.5)])
        target = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, positions=frames)
        candidate = frames + numpy.random.default_rng(1).normal(0.0, 0.1, frames.shape).astype("float32")
        found, distances = skinbench.measure(target, candidate, distances=True)
        apart = frames.astype("float64") - candidate
        self.assertAlmostEqual(found["e_rms"], 1000 * numpy.sqrt((apart ** 2).mean()), places=4)  # of radius 1 but for rounding
        motion = frames.astype("float64") - frames.astype("float64").mean(axis=0)
        self.assertAlmostEqual(found["kg_percent"], 100 * numpy.linalg.norm(apart) / numpy.linalg.norm(motion), places=9)
        numpy.testing.assert_allclose(distances, numpy.linalg.norm(apart, axis=2), rtol=1e-6)
        again = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, positions=candidate)
        self.assertEqual(skinbench.measure(target, again)["e_rms"], found["e_rms"])
        with self.assertRaises(ValueError):
            skinbench.measure(target, candidate[:, :3])


class Fitting(Case):
    def setUp(self):
        super().setUp()
        self.walk = skinbench.generate("walk", vertices=1000, frames=6)

    def test_model_has_the_error_that_is_reported(self):
        shares = []
        found = skinbench.fit(self.walk, "coordinate-descent", bones=6, iterations=3, threads=1,
                              progress=lambda what, share: shares.append(share))
        self.assertEqual((found.bones, found.iterations, found.end, len(found.errors)), (6, 3, "iteration-cap", 4))
        self.assertTrue(shares and 0 <= min(shares) <= max(shares) <= 1)
        model = found.model
        posed = linear_blend(model.rest, model.weight_joints, model.weights, model.transforms)
        self.assertAlmostEqual(skinbench.measure(self.walk, posed)["e_rms"], found.e_rms, places=3)
        self.assertEqual(skinbench.measure(self.walk, model)["e_rms"], found.e_rms)

    def test_low_rank_model_is_its_product(self):
        model = skinbench.fit(self.walk, "svd", bones=2).model
        made = (model.basis @ model.coefficients).reshape(6, 3, -1).transpose(0, 2, 1)
        self.assertAlmostEqual(skinbench.measure(self.walk, made)["e_rms"], skinbench.measure(self.walk, model)["e_rms"],
                               places=3)

    def test_progress_stops(self):
        with self.assertRaises(skinbench.Stopped):
            skinbench.fit(self.walk, "coordinate-descent", bones=6, progress=lambda what, share: True)
        kept = skinbench.fit(self.walk, "coordinate-descent", bones=6, keep_stopped=True,
                             progress=lambda what, share: share > 0.7)
        self.assertEqual(kept.end, "stopped")

        def interrupted(what, share):
            raise KeyboardInterrupt
        for keep in (False, True):
            with self.assertRaises(KeyboardInterrupt):
                skinbench.fit(self.walk, "coordinate-descent", bones=6, keep_stopped=keep, progress=interrupted)


class Refusals(Case):
    def test_failures_are_exceptions_with_the_message(self):
        with self.assertRaisesRegex(skinbench.BadInput, "nothing.h5") as caught:
            skinbench.load(self.place / "nothing.h5")
        self.assertEqual(caught.exception.code, 3)
        rig = skinbench.generate("rig", vertices=1000, frames=1)
        with self.assertRaisesRegex(skinbench.UsageError, "lbs"):
            skinbench.Skinner(rig, "lsb")
        with self.assertRaisesRegex(ValueError, "hemisphere is 'north'"):
            skinbench.skin(rig, "dqs", hemisphere="north")
        with self.assertRaisesRegex(skinbench.UsageError, "walk"):
            skinbench.generate("wlak")
        skinbench.memory_limit(1 << 20)
        self.addCleanup(skinbench.memory_limit, 0)
        with self.assertRaisesRegex(MemoryError, "out of memory"):
            skinbench.generate("rig", vertices=100000, frames=50)

    def test_no_parameter_has_the_name_of_an_argument(self):
        for entry in skinbench.methods() + skinbench.generators():
            function = {"skinning": skinbench.Skinner.__init__, "decomposition": skinbench.fit}.get(entry.get("kind"),
                                                                                                   skinbench.generate)
            names = {parameter["name"].replace("-", "_") for parameter in entry["parameters"]}
            self.assertFalse(names & set(inspect.signature(function).parameters), entry["name"])

    def test_backends_say_what_they_lack(self):
        for backend in skinbench.backends():
            self.assertEqual(backend["available"], backend["reason"] == "", backend)


class Files(Case):
    def test_other_formats_are_converted(self):
        text = "".join(f"v {x} {y} {z}\n" for x, y, z in TETRAHEDRON) + "f 1 2 3\n"
        (self.place / "frame.obj").write_text(text)
        skinbench.convert(self.place / "frame.obj", self.place / "frame.h5")
        numpy.testing.assert_array_equal(skinbench.load(self.place / "frame.h5").rest, TETRAHEDRON)

    def test_results_are_the_report_s_rows(self):
        run, report = self.place / "run.jsonl", self.place / "report"

        def program(*arguments):  # without gnuplot, as no figure is looked at: `report` then ends with 4
            ended = subprocess.run([os.environ["SKINBENCH"], *map(str, arguments)], cwd=self.place, capture_output=True,
                                   env={**os.environ, "PATH": "/nonexistent"})
            self.assertIn(ended.returncode, (0, 4), ended.stderr)
        skinbench.generate("bar", around=4, along=5, frames=3).save(self.place / "bar.h5")
        for _ in range(2):  # what is skipped at first is tried again, and has two records
            program("bench", "bar.h5", "--no-generated", "--methods", "lbs,dqs", "--backends", "scalar,cuda", "--rounds", 2,
                    "--time-budget", 1, "--quiet", "-o", run)
        program("report", run, "-o", report)
        with open(report / "skinning.csv", newline="") as file:
            expected = list(csv.DictReader(file))
        rows = skinbench.read_results(run, "skinning", frame=False)
        self.assertEqual(len(rows), len(expected))
        self.assertEqual(set().union(*rows), set(expected[0]))
        for row in rows:
            match, = [other for other in expected if all(other[key] == str(row[key]) for key in ("method", "backend"))]
            for key, value in row.items():
                if isinstance(value, str):
                    self.assertEqual(match[key], value)
                elif isinstance(value, float):
                    self.assertEqual(float(match[key]), value, key)
                elif isinstance(value, list):
                    self.assertEqual(json.loads(match[key]), value)
        environment, = skinbench.read_results(run, "environment", frame=False)
        self.assertEqual({row["environment"] for row in rows}, {environment["environment.hash"]})
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        table = skinbench.read_results(run)
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual(set(table[table.kind == "skinning"].method), {"lbs", "dqs"})
        (self.place / "bad.jsonl").write_text('{"schema":2}\n')
        with self.assertRaisesRegex(ValueError, "bad.jsonl:1"):
            skinbench.read_results(self.place / "bad.jsonl")


if __name__ == "__main__":
    unittest.main()
