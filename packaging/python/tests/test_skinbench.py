"""Compares the module with h5py, and with skinning and errors computed by NumPy. SKINBENCH and SKINBENCH_PROGRAM name the program."""
import copy
import csv
import gc
import inspect
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import h5py
import numpy
import skinbench

# A tetrahedron whose corners are on the unit sphere.
TETRAHEDRON = numpy.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], "float32") / numpy.float32(3 ** 0.5)
FACES = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]


def linear_blend(rest, joints, weights, transforms):
    """Returns the linear blend skin (SBS eq. 1): each rest point moved by every influence, summed with the weights."""
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
        x, y, z = rig.rest.T  # all joints move alike, so the mesh moves as a whole
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
        self.assertAlmostEqual(found["e_rms"], 1000 * numpy.sqrt((apart ** 2).mean()), places=4)  # the radius is 1 up to rounding
        motion = frames.astype("float64") - frames.astype("float64").mean(axis=0)
        self.assertAlmostEqual(found["kg_percent"], 100 * numpy.linalg.norm(apart) / numpy.linalg.norm(motion), places=9)
        numpy.testing.assert_allclose(distances, numpy.linalg.norm(apart, axis=2), rtol=1e-6)
        again = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, positions=candidate)
        self.assertEqual(skinbench.measure(target, again)["e_rms"], found["e_rms"])
        with self.assertRaises(ValueError):
            skinbench.measure(target, candidate[:, :3])


class Scoring(Case):
    def test_a_moved_joint_has_its_distance(self):
        rig = skinbench.generate("rig", vertices=1000, frames=1)
        self.assertEqual(skinbench.score(rig, rig, tolerance=0.1)["mpjpe"], 0.0)
        self.assertEqual(skinbench.score(rig, rig, tolerance=0.1, poses=2)["joint_iou"], 1.0)
        self.assertTrue(numpy.isnan(skinbench.score(rig, rig, variant="nbs", tolerance=0.1)["joint_iou"]))
        self.assertGreater(skinbench.score(rig, rig, variant="puppeteer", prune_relative=0.9)["l1_row"], 0.0)
        with self.assertRaisesRegex(skinbench.UsageError, "variant is 'best'"):
            skinbench.score(rig, rig, variant="best")


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


class Copies(Case):
    def test_data_sets_are_copied_with_all_arrays(self):
        rig = skinbench.generate("rig", vertices=1000, frames=2)
        fitted = skinbench.fit(skinbench.generate("walk", vertices=1000, frames=6), "svd", bones=2)
        for made in (rig, fitted.model):
            for again in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
                for name in skinbench._ARRAYS:
                    numpy.testing.assert_array_equal(getattr(again, name), getattr(made, name), name)
                self.assertEqual((again.name, again.fps, again.joint_names), (made.name, made.fps, made.joint_names))
                self.assertNotEqual(again.rest.ctypes.data, made.rest.ctypes.data)
                del again
                gc.collect()
        self.assertEqual((copy.copy(fitted).bones, copy.copy(fitted).notes), (fitted.bones, fitted.notes))

    def test_copies_keep_what_python_does_not_show(self):
        skinbench.generate("rig", vertices=1000, frames=2).save(self.place / "rig.h5")
        with h5py.File(self.place / "rig.h5", "a") as file:
            file["mesh/attributes/stiffness"] = numpy.linspace(0, 1, 1000, dtype="float32")
            file["clips/names"], file["clips/first_frames"], file["clips/times"] = ["run"], [0], [0.0, 0.5]
        pickle.loads(pickle.dumps(skinbench.load(self.place / "rig.h5"))).save(self.place / "copy.h5")
        with h5py.File(self.place / "copy.h5") as file, h5py.File(self.place / "rig.h5") as original:
            for name in ("mesh/attributes/stiffness", "clips/names", "clips/times"):
                self.assertEqual(file[name][:].tolist(), original[name][:].tolist(), name)

    def test_skinners_are_not_copied(self):
        skinner = skinbench.Skinner(skinbench.generate("rig", vertices=1000, frames=2), "lbs")
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "neither copied nor pickled"):
                way(skinner)
        self.assertEqual(skinner.frames().shape, (2, 1000, 3))

    def test_nothing_is_freed_twice_or_made_of_a_number(self):
        made = skinbench.generate("bar", around=4, along=5, frames=2)
        made.__del__()
        with self.assertRaises(AttributeError):
            made.save(self.place / "gone.h5")
        for handle in (1, None, 2 ** 40):
            with self.assertRaises(TypeError):
                skinbench.Dataset(handle)


class Arguments(Case):
    def setUp(self):
        super().setUp()
        self.rig = skinbench.generate("rig", vertices=1000, frames=3)
        self.skinner = skinbench.Skinner(self.rig, "lbs", threads=1)
        self.walk = skinbench.generate("walk", vertices=1000, frames=4)

    def refused(self, message, function, *arguments, **named):
        with self.assertRaisesRegex((ValueError, TypeError), message, msg=f"{arguments!r:.80} {named!r:.80}"):
            function(*arguments, **named)

    def test_integers_do_not_wrap(self):
        for wrong in (2 ** 32 + 2, -2 ** 31 - 1, 2 ** 63, 2 ** 80):
            self.refused("bones is", skinbench.fit, self.walk, "svd", bones=wrong)
            self.refused("threads is", skinbench.Skinner, self.rig, "lbs", threads=wrong)
            self.refused("first is", self.skinner.frames, wrong)
            self.refused("count is", self.skinner.frames, 0, wrong)
            self.refused("holdout is", skinbench.fit, self.walk, "svd", bones=2, holdout=wrong)
            self.refused("threads is", skinbench.measure, self.walk, self.walk, threads=wrong)
        self.refused("seed is", skinbench.fit, self.walk, "svd", bones=2, seed=-1)
        self.refused("size_bytes is", skinbench.memory_limit, -1)
        self.assertEqual(skinbench.fit(self.walk, "svd", bones=numpy.int64(2)).bones, 2)

    def test_floats_are_no_integers(self):
        for wrong in (2.0, "2", None, numpy.float32(2), [2]):
            self.refused("bones is .*expected an integer", skinbench.fit, self.walk, "svd", bones=wrong)
            self.refused("threads is .*expected an integer", skinbench.Skinner, self.rig, "lbs", threads=wrong)
        for wrong in (0.5, "0"):
            self.refused("first is .*expected an integer", self.skinner.frames, wrong)
        for wrong in (float("nan"), float("inf"), "1", None, 10 ** 400):
            self.refused("error is", skinbench.fit, self.walk, "svd", bones=2, error=wrong)

    def test_arrays_say_where_they_are_wrong(self):
        make = skinbench.Dataset.from_arrays
        weights = {"weights": numpy.ones((4, 1)), "weight_joints": numpy.zeros((4, 1), int)}
        far = numpy.array(FACES)
        far[2, 1] = 2 ** 32 + 2
        rows = [(r"triangles\[2, 1\] is 4294967298", {"triangles": far}), ("triangles holds float64", {"triangles": numpy.zeros((4, 3))}),
                ("triangles holds bool", {"triangles": numpy.zeros((4, 3), bool)}), ("triangles holds object", {"triangles": [[2 ** 70, 1, 2]]}),
                ("triangles has the shape", {"triangles": [0, 1, 2]}), ("triangles: ", {"triangles": [[0, 1, 2], [0, 1]]}),
                ("weight_joints holds float64", {**weights, "weight_joints": numpy.zeros((4, 1))}),
                ("parents holds float64", {**weights, "parents": [-1.0]}),
                (r"positions\[1, 2, 0\] is nan", {"positions": numpy.where(numpy.arange(24).reshape(2, 4, 3) == 18, numpy.nan, 1)}),
                (r"positions\[0, 0, 0\] is 1e\+300, expected a finite float32", {"positions": numpy.full((1, 4, 3), 1e300)}),
                ("positions holds complex128", {"positions": numpy.ones((1, 4, 3), complex)}),
                ("positions holds <U1", {"positions": numpy.full((1, 4, 3), "1")}), ("fps is nan", {"fps": float("nan")}),
                ("fps is '30'", {"fps": "30"}), ("name is 5", {"name": 5}), ("title is .*NUL", {"title": "a\0b"}),
                (r"joint_names\[0\] is 5", {**weights, "joint_names": [5]}), ("2 joint_names for 1", {**weights, "parents": [-1], "joint_names": ["a", "b"]})]
        for message, arrays in rows:
            self.refused(message, make, TETRAHEDRON, **arrays)
        self.refused("rest is None", make, None)
        self.refused("rest holds object", make, [[None] * 3])
        self.refused("rest has the shape", make, 5)

    def test_arrays_of_any_layout_are_taken(self):
        turned = TETRAHEDRON[::-1][:, ::-1]
        for layout in (turned, numpy.asfortranarray(turned), numpy.repeat(turned, 2, axis=0)[::2], turned.astype(">f4"), turned.tolist()):
            numpy.testing.assert_array_equal(skinbench.Dataset.from_arrays(layout, numpy.array(FACES, ">i8")[::-1]).rest, turned)
        poses = numpy.array(self.rig.transforms)
        expected = self.skinner.frames()
        for layout in (numpy.asfortranarray(poses), poses[::-1][::-1], poses.astype(">f8"), numpy.repeat(poses, 2, axis=1)[:, ::2]):
            numpy.testing.assert_array_equal(self.skinner.poses(layout), expected)

    def test_poses_and_outputs(self):
        poses = numpy.array(self.rig.transforms)
        poses[1, 2, 0, 3] = numpy.nan
        self.refused(r"transforms\[1, 2, 0, 3\] is nan", self.skinner.poses, poses)
        self.refused("transforms", self.skinner.poses, None)
        self.refused("transforms", self.skinner.poses, poses[:, :1])
        self.refused("transforms", self.skinner.poses, 5)
        self.refused("scale has", self.skinner.poses, self.rig.transforms, numpy.ones((2, 3, 3)))
        for out in (None, [1], 5):
            if out is not None:
                self.refused("out is", self.skinner.frames, out=out)
        self.refused("out is", self.skinner.frames, out=numpy.empty((3, 1000, 3), "float32")[::-1])
        self.refused("first is 4", self.skinner.frames, 4)
        self.refused("count is -1", self.skinner.frames, 0, -1)
        self.refused(r"candidate\[0, 0, 0\] is nan", skinbench.measure, self.walk, numpy.full((4, 1000, 3), numpy.nan))

    def test_objects_of_other_types(self):
        for wrong in (None, 5, "rig.h5", self.skinner):
            self.refused("dataset is .*expected a Dataset", skinbench.Skinner, wrong, "lbs")
            self.refused("dataset is .*expected a Dataset", skinbench.fit, wrong, "svd", bones=2)
            self.refused("target is .*expected a Dataset", skinbench.measure, wrong, self.walk)
        for wrong in (None, 5, b"lbs"):
            self.refused("method is", skinbench.Skinner, self.rig, wrong)
            self.refused("name is", skinbench.generate, wrong)
        for wrong in (None, 5.0, "a\0b"):
            self.refused("path is", skinbench.load, wrong)
            self.refused("path is", self.rig.save, wrong)
        self.refused("hemisphere", skinbench.skin, self.rig, "dqs", hemisphere="first\0")

    def test_names_alone_make_roots(self):
        rig = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, weights=numpy.ones((4, 1)), weight_joints=[[0], [0], [1], [1]],
                                            joint_names=["hip", "knee", "toe"])
        self.assertEqual((rig.joint_names, rig.parents.tolist()), (["hip", "knee", "toe"], [-1, -1, -1]))
        alone = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, weights=numpy.ones((4, 1)), joint_names=["hip"],
                                              weight_joints=numpy.zeros((4, 1), "uint8"))
        self.assertEqual((alone.joint_names, alone.parents.tolist()), (["hip"], [-1]))


class Threads(Case):
    def test_threads_share_a_skinner(self):
        rig = skinbench.generate("rig", vertices=2000, frames=8)
        skinner = skinbench.Skinner(rig, "dqs", threads=1)
        expected = skinner.frames()
        wrong = []

        def work(frame):
            for _ in range(30):
                if not numpy.array_equal(skinner.poses(rig.transforms[frame])[0], expected[frame]):
                    wrong.append(frame)
        threads = [threading.Thread(target=work, args=(frame,)) for frame in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Kept(Case):
    def test_what_was_read_is_not_overwritten(self):
        path = self.place / "bar.h5"
        program = subprocess.run([os.environ["SKINBENCH"], "generate", "bar", "-o", path], capture_output=True)
        self.assertEqual(program.returncode, 0, program.stderr)
        os.link(path, self.place / "hard.h5")
        os.symlink("bar.h5", self.place / "soft.h5")
        bar, before = skinbench.load(path), path.read_bytes()
        other = skinbench.generate("bar", around=4, along=5, frames=2)
        for name in ("bar.h5", "hard.h5", "soft.h5", "./bar.h5"):
            for made in (bar, other):
                with self.assertRaisesRegex(skinbench.UsageError, "never overwritten"):
                    made.save(self.place / name)
        self.assertEqual(path.read_bytes(), before)
        bar.save(self.place / "again.h5")

    def test_what_the_process_wrote_is_replaced_but_not_by_itself(self):
        path = self.place / "own.h5"
        made = skinbench.generate("bar", around=4, along=5, frames=2)
        for _ in range(2):  # like a cell of a notebook that is run twice
            made.save(path)
            read = skinbench.load(path)
        with self.assertRaisesRegex(skinbench.UsageError, "the file that the data set was read from"):
            read.save(path)

    def test_imports_keep_their_input(self):
        path = self.place / "frame"
        path.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
        with self.assertRaisesRegex(skinbench.UsageError, "never overwritten"):
            skinbench.convert(path, path)
        self.assertTrue(path.read_text().startswith("OFF"))
        for name in ("out.glb", "out.obj", "out.npy"):
            with self.assertRaisesRegex(skinbench.UsageError, "its ending belongs to another format"):
                skinbench.convert(path, self.place / name)


class Files(Case):
    def test_damaged_results_name_their_line(self):
        good = '{"schema":1,"kind":"skinning","method":"lbs","environment":"a"}\n'
        path = self.place / "run.jsonl"
        for line in ("[" * 100000, '{"schema":1,"a":' * 50000, '{"schema":2}', "5", "null", "{", '{"schema":1,"dataset":[1]}', '{"schema":1,"dataset":"bar"}',
                     '{"schema":1,"kind":[]}', '{"schema":1,"environment":{}}', '{"schema":1,"environment":[1]}',
                     '{"schema":1,"kind":"environment"}', '{"schema":1,"kind":"environment","environment":[]}',
                     '{"schema":1,"kind":"environment","environment":{"hash":[1]}}',
                     '{"schema":1,"kind":"environment","environment":{"hash":"a","machine":{}}}', '{"schema":1,"x":NaN}',
                     '{"schema":1,"parameters":' + '{"a":' * 3000 + "1" + "}" * 3001, '{"schema":1,"x":' + "9" * 5000 + "}"):
            path.write_text(good + line + "\n" + good)
            with self.assertRaisesRegex(ValueError, "run.jsonl:2: ", msg=line[:80]):
                skinbench.read_results(path, frame=False)
        path.write_bytes(good.encode() + b'{"schema":1,"a":"\xff"}\n')
        with self.assertRaisesRegex(ValueError, "run.jsonl:2: "):
            skinbench.read_results(path, frame=False)
        path.write_text(good + '{"schema":1,"ki')  # a line torn when a run was killed
        self.assertEqual([row["method"] for row in skinbench.read_results(path, frame=False)], ["lbs"])

    def test_other_formats_are_converted(self):
        text = "".join(f"v {x} {y} {z}\n" for x, y, z in TETRAHEDRON) + "f 1 2 3\n"
        (self.place / "frame.obj").write_text(text)
        skinbench.convert(self.place / "frame.obj", self.place / "frame.h5")
        numpy.testing.assert_array_equal(skinbench.load(self.place / "frame.h5").rest, TETRAHEDRON)

    def test_results_are_the_report_s_rows(self):
        run, report = self.place / "run.jsonl", self.place / "report"

        def program(*arguments):  # runs without gnuplot, because the figures are not checked: `report` then ends with 4
            ended = subprocess.run([os.environ["SKINBENCH"], *map(str, arguments)], cwd=self.place, capture_output=True,
                                   env={**os.environ, "PATH": "/nonexistent"})
            self.assertIn(ended.returncode, (0, 4), ended.stderr)
        skinbench.generate("bar", around=4, along=5, frames=3).save(self.place / "bar.h5")
        for _ in range(2):  # skipped cells are tried again, and then have two records
            program("bench", "bar.h5", "--no-generated", "--methods", "lbs,dqs", "--backends", "scalar,cuda", "--rounds", 2,
                    "--time-budget", 1, "--quiet", "-o", run)
        program("report", run, "-o", report)
        with open(report / "skinning.csv", newline="") as file:
            expected = list(csv.DictReader(file))
        rows = skinbench.read_results(run, "skinning", frame=False)
        self.assertEqual(len(rows), len(expected))
        headline = {"ns_per_vertex", "ratio_to_lbs", "ratio_low", "ratio_high"}
        self.assertEqual(set().union(*rows), set(expected[0]) | headline)
        timed = [row for row in rows if row["status"] == "ok"]
        self.assertTrue(timed)
        for row in timed:  # the headline is a frame in file order, pose included
            self.assertAlmostEqual(row["ns_per_vertex"], 1e9 * row["timing.frame.median_s"] / (row["dataset.vertices"] * row["frames"]), delta=1e-6 * row["ns_per_vertex"])
            self.assertTrue(row["ratio_low"] <= row["ratio_to_lbs"] <= row["ratio_high"], row)
        self.assertEqual([row["ratio_to_lbs"] for row in timed if row["method"] == "lbs"], [1.0])
        rows = [{key: value for key, value in row.items() if key not in headline} for row in rows]
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


class Commands(Case):
    """The program's commands. SKINBENCH_PROGRAM names it."""

    def test_advice_is_the_program_s(self):
        bar = skinbench.generate("bar", around=6, along=9, frames=3)
        bar.save(self.place / "bar.h5")
        advice = skinbench.advise(self.place / "bar.h5", frame=False, own_poses=True, output=self.place / "page")
        self.assertTrue((self.place / "page" / "index.html").exists())
        self.assertTrue(advice.sentence and advice.sentence in repr(advice), advice)
        self.assertEqual(advice.file, str(self.place / "bar.h5"))
        lbs, = [row for row in advice.methods if row["method"] == "lbs"]
        self.assertEqual((lbs["loss_of_shape"], lbs["ratio_to_lbs"], lbs["file"]), (1.0, 1.0, advice.file))
        for row in advice.methods:
            if row["status"] == "ok":
                self.assertTrue(row["ratio_low"] <= row["ratio_to_lbs"] <= row["ratio_high"], row)
        with self.assertRaises(AttributeError):
            advice.colour
        of_memory = skinbench.advise(bar, frame=False, own_poses=True)
        self.assertIsNone(of_memory.file)
        exact = [{row["method"]: row.get("loss_of_shape") for row in found.methods} for found in (advice, of_memory)]
        self.assertEqual(*exact)

    def test_import_takes_options(self):
        text = "".join(f"v {x} {y} {z}\n" for x, y, z in TETRAHEDRON) + "f 1 2 3\n"
        (self.place / "-frame.obj").write_text(text)  # not an option
        there = os.getcwd()
        self.addCleanup(os.chdir, there)
        os.chdir(self.place)
        twice = skinbench.import_("-frame.obj", scale=2, name="twice")
        self.assertEqual(twice.name, "twice")
        numpy.testing.assert_array_equal(twice.rest, 2 * TETRAHEDRON)
        skinbench.import_("-frame.obj", self.place / "kept.h5", format="obj-sequence")
        numpy.testing.assert_array_equal(skinbench.load(self.place / "kept.h5").rest, TETRAHEDRON)

    def test_bench_and_table_give_rows(self):
        bar, run = skinbench.generate("bar", around=4, along=5, frames=3), self.place / "run.jsonl"
        rows = skinbench.bench(bar, methods=["lbs", "dqs"], backends=["scalar"], no_times=True, output=run, kind="skinning", frame=False)
        self.assertEqual({(row["method"], row["backend"], row["status"]) for row in rows}, {("lbs", "scalar", "ok"), ("dqs", "scalar", "ok")})
        self.assertEqual(rows, skinbench.read_results(run, "skinning", frame=False))
        cells = skinbench.table("sbs-qlerp-bound", no_times=True, frame=False)
        bound, = [cell for cell in cells if (cell["row"], cell["column"]) == ("180 degrees", "angle-degrees")]
        self.assertEqual(bound["published"], 8.15)
        self.assertAlmostEqual(bound["measured"], 8.15, delta=0.005)  # the paper's digits

    def test_run_is_any_command(self):
        info, = skinbench.run("info", skinbench.Dataset.from_arrays(TETRAHEDRON, FACES), frame=False)
        self.assertEqual((info["vertices"], info["triangles"], info["frames"]), (4, 4, 0))
        self.assertAlmostEqual(info["rest_bounds.diagonal"], 2.0, places=6)  # a cube of edge 2 / sqrt(3)
        names = {row["name"] for row in skinbench.run("list", "tables", frame=False)}
        self.assertIn("fesam-table2", names)
        skinbench.run("generate", "bar", set={"around": 4, "along": 5, "positions": True}, output=self.place / "bar.h5")
        self.assertIsNotNone(skinbench.load(self.place / "bar.h5").positions)

    def test_identify_names_the_method(self):
        arm = skinbench.generate("arm", vertices=200, frames=4)
        positions = skinbench.skin(arm, "lbs")
        found = skinbench.identify(arm, positions)
        self.assertEqual((found["identified"], found["variants"][0]["method"]), (True, "lbs"))
        positions = positions.copy()
        positions[2, 17, 1] += 0.5
        found = skinbench.identify(arm, positions)
        self.assertEqual((found["identified"], found["departure"]["frame"], found["departure"]["vertex"]), (False, 2, 17))

    def test_fit_external_runs_a_program(self):
        program = self.place / "still.py"
        program.write_text("import sys, numpy\n"
                           "rest, frames = (numpy.load(f'{sys.argv[1]}/{name}.npy') for name in ('rest', 'positions'))\n"
                           "numpy.save(sys.argv[2] + '/weights.npy', numpy.ones((len(rest), 1)))\n"
                           "numpy.save(sys.argv[2] + '/transforms.npy', numpy.tile(numpy.eye(3, 4), (len(frames), 1, 1, 1)))\n")
        (self.place / "still.json").write_text(json.dumps(
            {"name": "still", "kind": "fit", "command": [sys.executable, "{folder}/still.py", "{input}", "{output}"]}))
        jelly = skinbench.generate("jelly", around=8, along=10, frames=6)
        model, found = skinbench.fit_external(jelly, self.place / "still.json", bones=3)
        self.assertEqual((len(model.parents), found["bones_delivered"], found["external"]["exit_code"]), (1, 1, 0))
        self.assertAlmostEqual(found["metrics"]["e_rms"], skinbench.measure(jelly, model)["e_rms"], places=3)
        (self.place / "still.py").write_text("raise SystemExit('no licence')")
        with self.assertRaisesRegex(skinbench.CheckFailed, "no licence"):
            skinbench.fit_external(jelly, self.place / "still.json", bones=3)

    def test_failures_are_exceptions(self):
        with self.assertRaisesRegex(skinbench.BadInput, "nothing.h5: cannot be opened") as caught:
            skinbench.advise(self.place / "nothing.h5")
        self.assertEqual(caught.exception.code, 3)
        with self.assertRaisesRegex(skinbench.UsageError, "no option '--colour'"):
            skinbench.run("list", "tables", colour="red")
        with self.assertRaises(TypeError):
            skinbench.advise(5)
        with mock.patch.dict(os.environ, SKINBENCH_PROGRAM="", PATH="/nonexistent"):
            with self.assertRaisesRegex(skinbench.Unavailable, "SKINBENCH_PROGRAM may name its file"):
                skinbench.run("list", "tables")

    def test_an_interrupted_call_ends_its_program(self):
        code = ("import os, signal, threading, skinbench\n"
                "threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                "try:\n    skinbench.bench(output='run.jsonl', time_budget=600, precision=1e-9)\n"
                "except KeyboardInterrupt:\n    print('interrupted')\n")
        ended = subprocess.run([sys.executable, "-c", code], cwd=self.place, capture_output=True, text=True, timeout=60,
                               env={**os.environ, "PYTHONPATH": str(pathlib.Path(skinbench.__file__).resolve().parent.parent)})
        self.assertEqual(ended.stdout, "interrupted\n", ended.stderr)
        # The journal keeps samples of cells that another run continues.
        self.assertLessEqual(set(os.listdir(self.place)), {"run.jsonl", "run.jsonl.journal"})

    def test_measures_and_sweeps_are_tables(self):
        frames = numpy.stack([TETRAHEDRON, TETRAHEDRON + numpy.float32(0.5)])
        target = skinbench.Dataset.from_arrays(TETRAHEDRON, FACES, positions=frames)
        rows = skinbench.measures(target, {"itself": target, "moved": frames + numpy.float32([0, 0, 0.5])}, frame=False)
        self.assertEqual([row["candidate"] for row in rows], ["itself", "moved"])
        self.assertEqual(rows[0]["e_rms"], 0.0)
        self.assertAlmostEqual(rows[1]["e_rms"], 1000 * 0.5 / 3 ** 0.5, places=3)  # a third of the numbers is off by 0.5, the radius 1
        fit = skinbench.fit(skinbench.generate("walk", vertices=1000, frames=4), "coordinate-descent", bones=3, iterations=2, threads=1)
        self.assertEqual([row["e_rms"] for row in fit.sweeps(frame=False)], fit.errors.tolist())
        self.assertEqual([row["iteration"] for row in fit.sweeps(frame=False)], [0, 1, 2])

    def test_tables_without_pandas_are_dicts(self):
        with mock.patch.dict(sys.modules, pandas=None):
            info, = skinbench.run("list", "formats")[:1]
            self.assertIsInstance(info, dict)
            with self.assertRaises(ImportError):
                skinbench.run("list", "formats", frame=True)


if __name__ == "__main__":
    unittest.main()
