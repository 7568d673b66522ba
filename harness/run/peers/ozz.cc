// ozz-animation's SkinningJob as a peer (peer.h). Built by scripts/build-peer from ozz's own sources.
#include "harness/run/peers/peer.h"

#include "ozz/base/maths/simd_math.h"
#include "ozz/geometry/runtime/skinning_job.h"

#include <new>
#include <vector>

namespace
{

struct State {
    PeerRig rig;
    std::vector<float> weights; // [N][K - 1] ozz computes the last weight from the others
    ozz::math::Float4x4 *matrices;

    explicit State(const PeerRig &of)
        : rig(of), matrices(new ozz::math::Float4x4[static_cast<size_t>(of.joint_count)])
    {
        const size_t count = static_cast<size_t>(of.influence_count), kept = count - 1;
        weights.resize(static_cast<size_t>(of.vertex_count) * kept);
        for (size_t v = 0; v < static_cast<size_t>(of.vertex_count); v++)
            for (size_t k = 0; k < kept; k++)
                weights[v * kept + k] = of.weights[v * count + k];
    }
    ~State()
    {
        delete[] matrices;
    }
    State(const State &) = delete;
    State &operator=(const State &) = delete;
};

void *ozz_bind(const PeerRig *rig)
{
    try {
        return new State(*rig);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

int ozz_skin(void *of, const double *transforms, float *positions)
{
    State *state = static_cast<State *>(of);
    const PeerRig &rig = state->rig;
    const size_t vertices = static_cast<size_t>(rig.vertex_count),
                 count = static_cast<size_t>(rig.influence_count);
    const size_t joints = static_cast<size_t>(rig.joint_count);
    for (size_t j = 0; j < joints; j++) {
        const double *rows = transforms + 12 * j;
        for (int c = 0; c < 4; c++)
            state->matrices[j].cols[c] =
                ozz::math::simd_float4::Load(static_cast<float>(rows[c]), static_cast<float>(rows[4 + c]),
                                             static_cast<float>(rows[8 + c]), c == 3 ? 1.0f : 0.0f);
    }
    ozz::geometry::SkinningJob job;
    job.vertex_count = rig.vertex_count;
    job.influences_count = rig.influence_count;
    job.joint_matrices = ozz::span<const ozz::math::Float4x4>(state->matrices, joints);
    job.joint_indices = ozz::span<const uint16_t>(rig.joints, vertices * count);
    job.joint_indices_stride = count * sizeof(uint16_t);
    job.joint_weights = ozz::span<const float>(state->weights.data(), state->weights.size());
    job.joint_weights_stride = (count - 1) * sizeof(float);
    job.in_positions = ozz::span<const float>(rig.rest, 3 * vertices);
    job.in_positions_stride = 3 * sizeof(float);
    job.out_positions = ozz::span<float>(positions, 3 * vertices);
    job.out_positions_stride = 3 * sizeof(float);
    return job.Run() ? 1 : 0;
}

void ozz_release(void *state)
{
    delete static_cast<State *>(state);
}

const PeerFunctions functions = {PEER_ABI, "ozz", PEER_TITLE, ozz_bind, ozz_skin, ozz_release};

} // namespace

extern "C" const PeerFunctions *skinbench_peer(void)
{
    return &functions;
}
