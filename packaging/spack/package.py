# Spack recipe. Copy it into your own repository as packages/skinbench/package.py
# (spack repo create ...; spack repo add ...). Then run `spack dev-build skinbench@0.1.0` in the source tree.
from spack.package import *


class Skinbench(CMakePackage):
    """Benchmark of skeletal skinning and of the decomposition of animated meshes into skinning."""

    license("MIT")

    version("0.1.0")

    variant("pictures", default=True, description="render: pictures, by Embree and libpng")
    variant("assimp", default=True, description="import of Collada")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("uthash", type="build")
    depends_on("hdf5")
    depends_on("openblas threads=openmp")
    depends_on("suite-sparse")
    depends_on("jansson")
    depends_on("libarchive")
    depends_on("openssl")
    depends_on("libseccomp")
    depends_on("elfutils")
    depends_on("opencl-c-headers", type="build")
    depends_on("embree", when="+pictures")
    depends_on("libpng", when="+pictures")
    depends_on("assimp", when="+assimp")
    depends_on("cmocka", type="build")
    depends_on("gnuplot+cairo", type="run")

    generator("ninja")

    def cmake_args(self):
        return [self.define("SKINBENCH_TESTS", self.run_tests)]
