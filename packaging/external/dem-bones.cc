// Dem Bones (Le and Deng 2012, 2014) as a program for --external: arrays in, arrays out. scripts/build-peer builds it from
// the sources of electronicarts/dem-bones.
//     dem-bones INPUT OUTPUT BONES INFLUENCES ITERATIONS THREADS [SMOOTH [AFFINE]]
// SMOOTH and AFFINE are its weightsSmooth and transAffine; 0 unless they are given.
#include <DemBones/DemBonesExt.h>
#include <DemBones/MatBlocks.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <omp.h>
#include <string>
#include <vector>

namespace
{

[[noreturn]] void fail(const std::string &text)
{
    std::fprintf(stderr, "%s\n", text.c_str());
    std::exit(1);
}

// Reads an array of 4-byte numbers, as the harness writes them, and its extents.
template <typename T> std::vector<T> npy_read(const std::string &path, std::vector<size_t> &extents)
{
    std::FILE *file = std::fopen(path.c_str(), "rb");
    unsigned char start[10];
    if (!file || std::fread(start, 1, sizeof start, file) != sizeof start)
        fail(path + ": cannot be read");
    std::string header(static_cast<size_t>(start[8] + 256 * start[9]), ' ');
    if (std::fread(&header[0], 1, header.size(), file) != header.size())
        fail(path + ": is cut short");
    size_t count = 1;
    extents.clear();
    for (const char *next = std::strchr(std::strstr(header.c_str(), "shape"), '(') + 1; *next != ')';) {
        char *end = nullptr;
        const size_t extent = std::strtoul(next, &end, 10);
        if (end != next) {
            extents.push_back(extent);
            count *= extent;
        }
        next = end != next ? end : next + 1;
    }
    std::vector<T> values(count);
    if (std::fread(values.data(), sizeof(T), count, file) != count)
        fail(path + ": is cut short");
    std::fclose(file);
    return values;
}

void npy_write(const std::string &path, const std::vector<double> &values, const std::string &shape)
{
    std::FILE *file = std::fopen(path.c_str(), "wb");
    std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(117, ' ');
    header += '\n';
    const unsigned char start[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    if (!file || std::fwrite(start, 1, sizeof start, file) != sizeof start ||
        std::fwrite(header.data(), 1, header.size(), file) != header.size() ||
        std::fwrite(values.data(), sizeof(double), values.size(), file) != values.size() || std::fclose(file) != 0)
        fail(path + ": cannot be written");
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 7)
        fail("usage: dem-bones INPUT OUTPUT BONES INFLUENCES ITERATIONS THREADS [SMOOTH [AFFINE]]");
    const std::string input = argv[1], output = argv[2];
    std::vector<size_t> extents, sizes;
    const std::vector<float> rest = npy_read<float>(input + "/rest.npy", extents);
    const std::vector<float> targets = npy_read<float>(input + "/positions.npy", sizes);
    const std::vector<int32_t> corners = npy_read<int32_t>(input + "/triangles.npy", extents);
    const auto begun = std::chrono::steady_clock::now();
    Dem::DemBonesExt<double, float> fit;
    omp_set_num_threads(std::atoi(argv[6]));
    fit.nF = static_cast<int>(sizes[0]);
    fit.nV = static_cast<int>(sizes[1]);
    fit.nB = std::atoi(argv[3]);
    fit.nS = 1;
    fit.nnz = std::atoi(argv[4]);
    fit.nIters = std::atoi(argv[5]);
    fit.weightsSmooth = argc > 7 ? std::atof(argv[7]) : 0.0;
    fit.transAffine = argc > 8 ? std::atof(argv[8]) : 0.0;
    fit.fStart.resize(2);
    fit.fStart << 0, fit.nF;
    fit.subjectID = Eigen::VectorXi::Zero(fit.nF);
    fit.u.resize(3, fit.nV);
    fit.v.resize(3 * fit.nF, fit.nV);
    for (int i = 0; i < fit.nV; i++)
        for (int axis = 0; axis < 3; axis++) {
            fit.u(axis, i) = rest[3 * static_cast<size_t>(i) + static_cast<size_t>(axis)];
            for (int k = 0; k < fit.nF; k++)
                fit.v(3 * k + axis, i) = targets[3 * (static_cast<size_t>(k) * sizes[1] + static_cast<size_t>(i)) +
                                                 static_cast<size_t>(axis)];
        }
    for (size_t t = 0; t + 2 < corners.size(); t += 3)
        fit.fv.push_back({corners[t], corners[t + 1], corners[t + 2]});
    fit.init();
    fit.compute();
    const size_t bones = static_cast<size_t>(fit.nB);
    std::vector<double> transforms(sizes[0] * bones * 12), weights(sizes[1] * bones);
    for (int k = 0; k < fit.nF; k++)
        for (int j = 0; j < fit.nB; j++)
            for (int e = 0; e < 12; e++)
                transforms[12 * (static_cast<size_t>(k) * bones + static_cast<size_t>(j)) + static_cast<size_t>(e)] =
                    fit.m(4 * k + e / 4, 4 * j + e % 4);
    for (int i = 0; i < fit.nV; i++)
        for (decltype(fit.w)::InnerIterator it(fit.w, i); it; ++it)
            weights[static_cast<size_t>(i) * bones + static_cast<size_t>(it.row())] = it.value();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    const std::string count = std::to_string(bones);
    npy_write(output + "/transforms.npy", transforms, std::to_string(fit.nF) + ", " + count + ", 3, 4");
    npy_write(output + "/weights.npy", weights, std::to_string(fit.nV) + ", " + count);
    std::printf("skinbench-seconds %.6f\n", taken.count());
    return 0;
}
