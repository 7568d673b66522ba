/* Palettes, programs and transfers that are common to OpenCL and CUDA. */
#include "methods/runtime/backends/device_binding.h"

enum {
    FRAMES_PER_LAUNCH = 32768,           /* the height of CUDA grids is at most 65535 */
    READ_BATCH_BYTES = 16 * 1024 * 1024, /* number of result bytes that are copied to the host together if
                                            frames are read one after another */
    COPY_BYTES_MAX =
        128 * 1024 *
        1024 /* Size of the largest copy that is measured. The times of larger copies are extrapolated. */
};

/* Arrays of posed data, which stay on the host until commit sends them. */
typedef enum PosedArray { POSED_JOINTS, POSED_SETS, POSED_FIRST, POSED_COUNT } PosedArray;
static const DeviceBuffer posed_buffers[POSED_COUNT] = {BUFFER_JOINT_VALUES, BUFFER_SET_VALUES,
                                                        BUFFER_FIRST_VALUES};

typedef struct Device {
    const DeviceApi *api;
    void *handle;
    const SkinningEntry *entry,
        *first_phase; /* method of the first phase of two-phase skinning; NULL if there is none */
    const JointSets *sets;
    DeviceTiles tiles;
    int components; /* components per point: 3, or 6 with normals */
    DeviceLaunch launch;
    unsigned compiled; /* bit v: the program of variant v is compiled */
    unsigned variants; /* bit v: a joint set of a posed frame has variant v; set by several threads */
    int frame_count,
        frames_reserved; /* number of posed frames, and number of frames for which memory is reserved */
    int frames_out;      /* number of frames in the result buffer that holds results in the order of lanes */
    size_t posed_bytes[POSED_COUNT]; /* bytes per frame */
    void *posed[POSED_COUNT];
    float *result; /* [read_count][components][L] frames that are already on the host, beginning with
                      read_first */
    int read_first, read_count, read_capacity;
    DeviceTimes times; /* how long the last skin stage and the transfer of its palettes took */
} Device;

static size_t frame_bytes(const Device *device)
{
    return (size_t)device->components * (size_t)device->tiles.lane_count * sizeof(float);
}

static Status device_compile(Device *device, int variant)
{
    const DeviceKernel kernel = {device->launch.shape, variant, device->components == 6,
                                 device->sets->max_influences};
    if (device->compiled & 1u << variant)
        return status_ok();
    OWNED char *text = device_program(device->entry, device->first_phase, &kernel, NULL);
    ALLOCATED(text, "a program");
    STATUS_TRY(device->api->compile(device->handle, device->entry->method->name, text, variant));
    device->compiled |= 1u << variant;
    return status_ok();
}

static void posed_release(Device *device)
{
    for (int i = 0; i < POSED_COUNT; i++)
        if (device->posed[i])
            device->api->host_release(device->handle, device->posed[i]);
    memset(device->posed, 0, sizeof device->posed);
    device->frames_reserved = 0;
}

static void result_release(Device *device)
{
    if (device->result)
        device->api->host_release(device->handle, device->result);
    device->result = NULL;
    device->read_count = device->read_capacity = 0;
}

static void device_release(void *state)
{
    Device *device = state;
    if (!device)
        return;
    if (device->handle) {
        posed_release(device);
        result_release(device);
        device->api->close(device->handle);
    }
    device_tiles_clear(&device->tiles);
    memory_free(device);
}
DEFINE_OWNED_BY(Device, device_release)

Status device_create(const BackendBinding *binding, void **state)
{
    const DeviceApi *api = binding->backend->device_api;
    const SkinningMethod *method = binding->entry->method;
    const size_t joints = (size_t)binding->joint_count;
    OWNED_BY(device_release) Device *device = NULL;
    ALLOCATE(device, 1, "a backend");
    *device = (Device){.api = api,
                       .entry = binding->entry,
                       .first_phase = binding->first_phase,
                       .sets = binding->sets,
                       .components = binding->normals ? 6 : 3};
    device->posed_bytes[POSED_JOINTS] = joints * (size_t)device_values_per_joint(method) * sizeof(float);
    device->posed_bytes[POSED_FIRST] =
        binding->first_phase ? joints * FIRST_VALUES_PER_JOINT * sizeof(float) : 0;
    DeviceShape *shape = &device->launch.shape;
    STATUS_TRY(api->open(&device->handle, shape));
    shape->frames = binding->device_frames ? binding->device_frames : shape->frames;
    shape->group = binding->device_group ? binding->device_group : shape->group;
    STATUS_TRY(device_tiles_init(
        binding->sets, shape, binding->joints_ascend && method->allows_zero_weight_padding, &device->tiles));
    const size_t groups = (size_t)device->tiles.group_count;
    device->posed_bytes[POSED_SETS] = groups * (size_t)method->floats_per_set * sizeof(float);
    device->launch.sizes[DEVICE_SIZE_VERTICES] = binding->sets->vertex_count;
    device->launch.sizes[DEVICE_SIZE_TILES] = device->tiles.tile_count;
    device->launch.sizes[DEVICE_SIZE_SETS] = device->tiles.group_count;
    device->launch.sizes[DEVICE_SIZE_JOINTS] = binding->joint_count;
    STATUS_TRY(device_compile(device, 0));
    STATUS_TRY(device_binding_send(api, device->handle, binding, &device->tiles));
    /* Result buffers start empty. They get their real size when it is known which results are wanted. */
    STATUS_TRY(api->allocate(device->handle, BUFFER_OUT, 0));
    STATUS_TRY(api->allocate(device->handle, BUFFER_OUT_NORMALS, 0));
    *state = TAKE(device);
    return status_ok();
}

static Status device_reserve(void *state, int frame_count, bool two_phase)
{
    Device *device = state;
    const size_t frames = (size_t)frame_count;
    (void)two_phase; /* unused, because the programs were already built for one or two phases */
    device->frame_count = frame_count;
    device->variants = 0;
    if (frame_count <= device->frames_reserved)
        return status_ok();
    device->frame_count = 0;
    posed_release(device);
    for (int i = 0; i < POSED_COUNT; i++) {
        if (device->posed_bytes[i] > 0 && frames > SIZE_MAX / device->posed_bytes[i])
            return status_out_of_memory("the posed frames");
        const size_t size = frames * device->posed_bytes[i];
        device->posed[i] = device->api->host_allocate(device->handle, size > 0 ? size : 1);
        ALLOCATED(device->posed[i], "the posed frames");
        STATUS_TRY(device->api->allocate(device->handle, posed_buffers[i], size));
    }
    device->frame_count = device->frames_reserved = frame_count;
    return status_ok();
}

/* Converts rows of `values` doubles to rows of `padded` floats. */
static void floats_from(float *out, const double *rows, size_t count, size_t values, size_t padded)
{
    if (values == padded) { /* treat all values as one row, so that compilers can vectorise the loop */
        values = padded = count * values;
        count = count > 0;
    }
    for (size_t row = 0; row < count; row++) {
        for (size_t i = 0; i < values; i++)
            out[row * padded + i] = (float)rows[row * values + i];
        for (size_t i = values; i < padded; i++)
            out[row * padded + i] = 0.0f;
    }
}

static void *posed_at(const Device *device, PosedArray array, size_t frame)
{
    return (char *)device->posed[array] + frame * device->posed_bytes[array];
}

static void device_pose(void *state, int frame, const PosedFrame *posed)
{
    Device *device = state;
    const SkinningMethod *method = device->entry->method;
    const size_t index = (size_t)frame, sets = (size_t)device->launch.sizes[DEVICE_SIZE_SETS];
    floats_from(posed_at(device, POSED_JOINTS, index), posed->joint_values,
                (size_t)device->launch.sizes[DEVICE_SIZE_JOINTS], (size_t)method->floats_per_joint,
                (size_t)device_values_per_joint(method));
    floats_from(posed_at(device, POSED_SETS, index), posed->set_values, sets, (size_t)method->floats_per_set,
                (size_t)method->floats_per_set);
    unsigned variants = 0;
    for (int set = 0; set < device->sets->set_count; set++)
        variants |= 1u << posed->set_variants[set];
    __atomic_or_fetch(&device->variants, variants, __ATOMIC_RELAXED);
    if (device->first_phase) {
        /* matrices C'_j of the first phase, or identities for a frame posed without scale */
        static const float identity[FIRST_VALUES_PER_JOINT] = {[0] = 1.0f, [5] = 1.0f, [10] = 1.0f};
        const size_t joints = (size_t)device->launch.sizes[DEVICE_SIZE_JOINTS];
        float *target = posed_at(device, POSED_FIRST, index);
        if (posed->first_values)
            floats_from(target, posed->first_values, joints, FIRST_VALUES_PER_JOINT, FIRST_VALUES_PER_JOINT);
        else
            for (size_t joint = 0; joint < joints; joint++)
                memcpy(target + joint * FIRST_VALUES_PER_JOINT, identity, sizeof identity);
    }
}

static Status device_commit(void *state)
{
    Device *device = state;
    /* the largest variant, which is valid for all joint sets */
    for (device->launch.variant = 0; device->variants >> device->launch.variant > 1;)
        device->launch.variant++;
    STATUS_TRY(device_compile(device, device->launch.variant));
    const double start_s = clock_now_s();
    for (int i = 0; i < POSED_COUNT; i++)
        if (device->frame_count > 0 && device->posed_bytes[i] > 0)
            STATUS_TRY(device->api->upload(device->handle, posed_buffers[i],
                                           (size_t)device->frame_count * device->posed_bytes[i],
                                           device->posed[i]));
    device->times = (DeviceTimes){.upload_s = clock_now_s() - start_s};
    return status_ok();
}

/* Returns the launch for the posed frames from `first` on. It contains as many frames as one launch can
 * skin. */
static DeviceLaunch launch_from(const Device *device, int first, int flags)
{
    const int left = device->frame_count - first;
    DeviceLaunch launch = device->launch;
    launch.sizes[DEVICE_SIZE_FIRST_FRAME] = first;
    launch.sizes[DEVICE_SIZE_FRAMES] = int_min(left, FRAMES_PER_LAUNCH);
    launch.sizes[DEVICE_SIZE_FLAGS] |= flags;
    return launch;
}

static Status device_skin(void *state)
{
    Device *device = state;
    device->times = (DeviceTimes){.upload_s = device->times.upload_s};
    device->read_count = 0;
    if (device->frame_count > device->frames_out) {
        if (frame_bytes(device) > 0 && (size_t)device->frame_count > SIZE_MAX / frame_bytes(device))
            return status_out_of_memory("the skinned frames");
        device->frames_out = 0;
        STATUS_TRY(device->api->allocate(device->handle, BUFFER_OUT,
                                         (size_t)device->frame_count * frame_bytes(device)));
        device->frames_out = device->frame_count;
    }
    for (int first = 0; first < device->frame_count && device->sets->vertex_count > 0;
         first += FRAMES_PER_LAUNCH) {
        DeviceLaunch launch = launch_from(device, first, 0);
        launch.sizes[DEVICE_SIZE_FIRST_RESULT] = first;
        STATUS_TRY(device->api->launch(device->handle, &launch, &device->times));
    }
    return status_ok();
}

static Status device_skin_frames(void *state, const SkinTarget *target)
{
    Device *device = state;
    const size_t frame_values = 3 * (size_t)device->sets->vertex_count;
    device->times = (DeviceTimes){.upload_s = device->times.upload_s};
    for (int first = 0; first < device->frame_count && frame_values > 0; first += FRAMES_PER_LAUNCH) {
        const DeviceLaunch launch =
            launch_from(device, first, FLAG_FILE_ORDER | (target->normals ? FLAG_FILE_NORMALS : 0));
        const size_t offset = (size_t)first * frame_values;
        STATUS_TRY(device->api->deliver(device->handle, &launch, target->positions + offset,
                                        target->normals ? target->normals + offset : NULL, &device->times));
    }
    return status_ok();
}

static Status device_read(void *state, int frame, const SkinTarget *target)
{
    Device *device = state;
    const DeviceTiles *tiles = &device->tiles;
    /* Results are stored tile by tile or, if a tile is one vertex, component by component. */
    const int run = tiles->shape.lanes > 1 ? tiles->shape.lanes : tiles->lane_count;
    if (device->sets->vertex_count == 0)
        return status_ok();
    /* copy this frame to the host, together with as many following frames as one copy takes */
    const size_t size = frame_bytes(device), batch = READ_BATCH_BYTES / size;
    const int capacity = (int)size_max(1, size_min(batch, (size_t)device->frame_count));
    if (!(frame >= device->read_first && frame < device->read_first + device->read_count)) {
        if (capacity > device->read_capacity) {
            result_release(device);
            device->result = device->api->host_allocate(device->handle, (size_t)capacity * size);
            ALLOCATED(device->result, "a frame");
            device->read_capacity = capacity;
        }
        const int left = device->frame_count - frame, count = int_min(left, capacity);
        device->read_count = 0;
        STATUS_TRY(device->api->download(device->handle, BUFFER_OUT, (size_t)frame * size,
                                         (size_t)count * size, device->result));
        device->read_first = frame;
        device->read_count = count;
    }
    const float *values =
        device->result + (size_t)(frame - device->read_first) * frame_bytes(device) / sizeof *values;
    for (int lane = 0; lane < tiles->lane_count; lane++)
        for (int component = 0; component < device->components && device_lane_is_vertex(tiles, lane);
             component++)
            skin_target_store(
                target, tiles->vertex_of[lane], component,
                (double)values[((size_t)(lane / run) * (size_t)device->components + (size_t)component) *
                                   (size_t)run +
                               (size_t)(lane % run)]);
    return status_ok();
}

static DeviceTimes device_times(const void *state)
{
    return ((const Device *)state)->times;
}

static double moved_bytes(const Device *device)
{
    const JointSets *sets = device->sets;
    const double results = (double)device->components * sets->vertex_count,
                 values = (double)device->entry->method->floats_per_vertex * sets->vertex_count;
    double posed = 0.0, weights = 0.0;
    for (int i = 0; i < POSED_COUNT; i++)
        posed += (double)device->posed_bytes[i];
    for (int set = 0; set < sets->set_count; set++)
        weights +=
            (double)(sets->first_vertex[set + 1] - sets->first_vertex[set]) * joint_set_size(sets, set);
    return sizeof(float) * (results + values + weights) +
           device->frame_count * (posed + sizeof(float) * results);
}

/* Times a copy that moves at least as many bytes as the kernel must move. A hot copy is measured right
 * after another copy of the same bytes. */
static Status copy_measure(const Device *device, double bytes, bool cold, double *time_s)
{
    const size_t size = bytes / 2.0 < COPY_BYTES_MAX ? (size_t)(bytes / 2.0) + 1 : COPY_BYTES_MAX;
    double before_s = 0.0;
    *time_s = 0.0;
    STATUS_TRY(device->api->copy(device->handle, cold ? 0 : size, &before_s));
    STATUS_TRY(device->api->copy(device->handle, size, time_s));
    *time_s *= bytes / 2.0 / (double)size;
    return status_ok();
}

static Status device_measure(void *state, DeviceSample *out)
{
    Device *device = state;
    double before_s = 0.0;
    out->moved_bytes = moved_bytes(device);
    STATUS_TRY(copy_measure(device, out->moved_bytes, false, &out->copy_s));
    STATUS_TRY(copy_measure(device, out->moved_bytes, true, &out->cold_copy_s));
    STATUS_TRY(device->api->copy(device->handle, 0, &before_s));
    STATUS_TRY(device_skin(device));
    out->cold_kernel_s = device->times.kernel_s;
    return status_ok();
}

const BackendFunctions device_functions = {.release = device_release,
                                           .reserve = device_reserve,
                                           .pose = device_pose,
                                           .commit = device_commit,
                                           .skin = device_skin,
                                           .skin_frames = device_skin_frames,
                                           .read = device_read,
                                           .device_times = device_times,
                                           .device_measure = device_measure};
