// Dem Bones (Le and Deng 2012, 2014) as a peer of `fit` (fit_peer.h). Built by scripts/build-peer from its own sources.
#include "harness/run/peers/fit_peer.h"

#include <DemBones/DemBonesExt.h>
#include <DemBones/MatBlocks.h>
#include <chrono>
#include <new>
#include <omp.h>

namespace
{

using Clock = std::chrono::steady_clock;

struct Fit : public Dem::DemBonesExt<double, float> {
    Clock::time_point begun = Clock::now();
    double limit_s = 0.0;
    bool limited = false;

    bool cbIterEnd() override
    {
        limited = limit_s > 0.0 && std::chrono::duration<double>(Clock::now() - begun).count() >= limit_s;
        return limited;
    }
};

void task_take(const FitPeerTask &task, Fit &fit)
{
    fit.nV = task.vertex_count;
    fit.nF = task.frame_count;
    fit.nB = task.bone_count;
    fit.nS = 1;
    fit.nnz = task.influence_count;
    fit.nIters = task.iterations;
    fit.weightsSmooth = task.smooth;
    fit.transAffine = task.affine;
    fit.limit_s = task.time_limit_s;
    fit.fStart.resize(2);
    fit.fStart << 0, fit.nF;
    fit.subjectID = Eigen::VectorXi::Zero(fit.nF);
    fit.u.resize(3, fit.nV);
    fit.v.resize(3 * fit.nF, fit.nV);
    for (int i = 0; i < fit.nV; i++)
        for (int axis = 0; axis < 3; axis++) {
            fit.u(axis, i) =
                static_cast<double>(task.rest[3 * static_cast<size_t>(i) + static_cast<size_t>(axis)]);
            for (int k = 0; k < fit.nF; k++)
                fit.v(3 * k + axis, i) =
                    task.targets[3 * (static_cast<size_t>(k) * static_cast<size_t>(fit.nV) +
                                      static_cast<size_t>(i)) +
                                 static_cast<size_t>(axis)];
        }
    for (int t = 0; t < task.triangle_count; t++)
        fit.fv.push_back({task.triangles[3 * t], task.triangles[3 * t + 1], task.triangles[3 * t + 2]});
}

void model_give(const Fit &fit, const FitPeerTask &task, FitPeerModel &model)
{
    model.bone_count = fit.nB;
    model.is_limited = fit.limited;
    for (int k = 0; k < fit.nF; k++)
        for (int j = 0; j < fit.nB; j++) {
            double *to =
                model.transforms +
                12 * (static_cast<size_t>(k) * static_cast<size_t>(task.bone_count) + static_cast<size_t>(j));
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 4; column++)
                    to[4 * row + column] = fit.m(4 * k + row, 4 * j + column);
        }
    for (int i = 0; i < fit.nV; i++) {
        size_t slot = static_cast<size_t>(i) * static_cast<size_t>(task.influence_count),
               end = slot + static_cast<size_t>(task.influence_count);
        for (Fit::SparseMatrix::InnerIterator it(fit.w, i); it && slot < end; ++it, slot++) {
            model.joints[slot] = static_cast<int32_t>(it.row());
            model.weights[slot] = it.value();
        }
    }
}

const char *dem_bones_fit(const FitPeerTask *task, FitPeerModel *model)
{
    try {
        Fit fit;
        omp_set_num_threads(task->threads);
        task_take(*task, fit);
        fit.init();
        if (fit.nB > task->bone_count)
            return "it made more bones than were asked for";
        fit.compute();
        model_give(fit, *task, *model);
        return nullptr;
    } catch (const std::bad_alloc &) {
        return "out of memory";
    }
}

const FitPeerFunctions functions = {FIT_PEER_ABI, "dem-bones", PEER_TITLE, dem_bones_fit};

} // namespace

const FitPeerFunctions *skinbench_fit_peer(void)
{
    return &functions;
}
