/* The program text, the arrays and the transfers that OpenCL and CUDA have in common. */
#include "methods/runtime/backends/device.h"

#include "datasets/base/memory.h"

#include <string.h>

enum { FRAMES_PER_LAUNCH = 32768 }; /* CUDA grids are at most 65535 high */

/* device_kernel.h as text (generated). */
extern const char device_kernel_text[];

typedef struct Device {
    const DeviceApi *api;
    void *handle;
    const JointSets *sets;
    int components; /* 3, or 6 with normals */
    bool two_phase; /* the kernel has a first phase */
    int sizes[SIZE_COUNT];
    int frame_count, frames_reserved; /* posed; there is memory for */
    /* Here until commit sends them: */
    float *joint_values, *set_values, *first_values;
    uint8_t *set_variants;
    float *result; /* [components][N] one frame that was read */
    double time_s; /* of the last skin stage */
} Device;

static void floats_from(float *out, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (float)values[i];
}

/* Makes a buffer and fills it. */
static Status send(Device *device, DeviceBuffer buffer, size_t size_bytes, const void *data)
{
    Status status = device->api->allocate(device->handle, buffer, size_bytes);
    if (status.code == STATUS_OK && size_bytes > 0)
        status = device->api->upload(device->handle, buffer, size_bytes, data);
    return status;
}

/* Sends `first` [N][count] as [count][N]; those of `second`, if it is given, follow. */
static Status send_columns(Device *device, DeviceBuffer buffer, const double *first, const double *second,
                           int count)
{
    size_t vertices = (size_t)device->sets->vertex_count, columns = (size_t)count;
    size_t arrays = second ? 2 : 1;
    float *rows = memory_table(arrays * columns, vertices, sizeof *rows);
    if (!rows)
        return status_out_of_memory("the vertices of the joint sets");
    for (size_t array = 0; array < arrays; array++)
        for (size_t column = 0; column < columns; column++)
            for (size_t i = 0; i < vertices; i++)
                rows[(array * columns + column) * vertices + i] =
                    (float)(array ? second : first)[i * columns + column];
    Status status = send(device, buffer, arrays * columns * vertices * sizeof *rows, rows);
    memory_free(rows);
    return status;
}

/* Weights as [max_influences][N], 0 past a vertex' own. */
static Status send_weights(Device *device)
{
    const JointSets *sets = device->sets;
    size_t vertices = (size_t)sets->vertex_count;
    float *weights = memory_table((size_t)sets->max_influences, vertices, sizeof *weights);
    if (!weights)
        return status_out_of_memory("the weights");
    for (int set = 0; set < sets->set_count; set++) {
        size_t first = (size_t)sets->first_vertex[set];
        size_t in_set = (size_t)sets->first_vertex[set + 1] - first;
        size_t count = (size_t)(sets->first_slot[set + 1] - sets->first_slot[set]);
        for (size_t k = 0; k < count; k++)
            floats_from(weights + k * vertices + first, sets->weights + sets->first_weight[set] + k * in_set,
                        in_set);
    }
    Status status =
        send(device, BUFFER_WEIGHTS, (size_t)sets->max_influences * vertices * sizeof *weights, weights);
    memory_free(weights);
    return status;
}

static Status send_binding(Device *device, const BackendBinding *binding)
{
    const SkinningMethod *method = binding->entry->method;
    const JointSets *sets = device->sets;
    float parameters[PARAMETERS_MAX];
    floats_from(parameters, binding->parameters, (size_t)method->parameter_count);
    Status status = status_ok();
    STATUS_TRY(send_columns(device, BUFFER_REST, binding->rest, binding->normals, 3));
    STATUS_TRY(send_weights(device));
    STATUS_TRY(
        send_columns(device, BUFFER_VERTEX_VALUES, binding->vertex_values, NULL, method->floats_per_vertex));
    STATUS_TRY(
        send(device, BUFFER_PARAMETERS, (size_t)method->parameter_count * sizeof *parameters, parameters));
    STATUS_TRY(send(device, BUFFER_SET_OF_VERTEX, (size_t)sets->vertex_count * sizeof(int32_t),
                    sets->set_of_vertex));
    STATUS_TRY(
        send(device, BUFFER_FIRST_SLOT, ((size_t)sets->set_count + 1) * sizeof(int32_t), sets->first_slot));
    STATUS_TRY(send(device, BUFFER_JOINTS, (size_t)sets->slot_count * sizeof(int32_t), sets->joints));
done:
    return status;
}

char *device_program(const SkinningEntry *entry, const SkinningEntry *first_phase, const char *more)
{
    const char *const parts[] = {
        first_phase ? first_phase->device_text : "",
        first_phase ? "#define KERNEL_FIRST_VERTEX " : "",
        first_phase ? first_phase->vertex_function : "",
        "\n",
        entry->device_text,
        "#define KERNEL_VERTEX ",
        entry->vertex_function,
        "\n",
        device_kernel_text,
        more ? more : "",
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    size_t size = 1, used = 0;
    for (int i = 0; i < PARTS; i++)
        size += strlen(parts[i]);
    char *text = memory_array(size, 1);
    for (int i = 0; text && i < PARTS; i++) {
        memcpy(text + used, parts[i], strlen(parts[i]));
        used += strlen(parts[i]);
    }
    return text;
}

static void device_release(void *state)
{
    Device *device = state;
    if (!device)
        return;
    if (device->handle)
        device->api->close(device->handle);
    memory_free(device->joint_values);
    memory_free(device->set_values);
    memory_free(device->first_values);
    memory_free(device->set_variants);
    memory_free(device->result);
    memory_free(device);
}

Status device_create(const DeviceApi *api, const BackendBinding *binding, void **state)
{
    const SkinningMethod *method = binding->entry->method;
    Device *device = memory_array(1, sizeof *device);
    char *text = device_program(binding->entry, binding->first_phase, NULL);
    Status status = status_ok();
    if (!device || !text) {
        status = status_out_of_memory("a backend");
        goto done;
    }
    device->api = api;
    device->sets = binding->sets;
    device->components = binding->normals ? 6 : 3;
    device->two_phase = binding->first_phase != NULL;
    device->sizes[SIZE_VERTICES] = binding->sets->vertex_count;
    device->sizes[SIZE_SETS] = binding->sets->set_count;
    device->sizes[SIZE_JOINTS] = binding->joint_count;
    device->sizes[SIZE_VALUES_PER_JOINT] = method->floats_per_joint;
    device->sizes[SIZE_VALUES_PER_SET] = method->floats_per_set;
    device->result =
        memory_table((size_t)device->components, (size_t)binding->sets->vertex_count, sizeof *device->result);
    if (!device->result) {
        status = status_out_of_memory("a frame");
        goto done;
    }
    const DeviceProgram program = {method->name, text, binding->normals ? "skin_normals" : "skin_positions"};
    STATUS_TRY(api->open(&program, &device->handle));
    STATUS_TRY(send_binding(device, binding));
    *state = device;
done:
    memory_free(text);
    if (status.code != STATUS_OK)
        device_release(device);
    return status;
}

/* Values per frame of joints, and of sets. */
static size_t joint_value_count(const Device *device)
{
    return (size_t)device->sizes[SIZE_JOINTS] * (size_t)device->sizes[SIZE_VALUES_PER_JOINT];
}

static size_t set_value_count(const Device *device)
{
    return (size_t)device->sizes[SIZE_SETS] * (size_t)device->sizes[SIZE_VALUES_PER_SET];
}

/* Of C'_j, where the kernel has a first phase. */
static size_t first_value_count(const Device *device)
{
    return device->two_phase ? (size_t)device->sizes[SIZE_JOINTS] * FIRST_VALUES_PER_JOINT : 0;
}

static Status device_reserve(void *state, int frame_count, bool two_phase)
{
    Device *device = state;
    const size_t frames = (size_t)frame_count, sets = (size_t)device->sizes[SIZE_SETS];
    const size_t reals = (size_t)device->components * (size_t)device->sizes[SIZE_VERTICES];
    Status status = status_ok();
    (void)two_phase; /* the kernel has its first phase or not */
    device->frame_count = frame_count;
    if (frame_count <= device->frames_reserved)
        return status;
    device->frame_count = device->frames_reserved = 0;
    if (reals > 0 && frames > SIZE_MAX / sizeof(float) / reals)
        return status_out_of_memory("the skinned frames");
    memory_free(device->joint_values);
    memory_free(device->set_values);
    memory_free(device->first_values);
    memory_free(device->set_variants);
    device->joint_values = memory_table(frames, joint_value_count(device), sizeof(float));
    device->set_values = memory_table(frames, set_value_count(device), sizeof(float));
    device->first_values = memory_table(frames, first_value_count(device), sizeof(float));
    device->set_variants = memory_table(frames, sets, 1);
    if (!device->joint_values || !device->set_values || !device->first_values || !device->set_variants)
        return status_out_of_memory("the posed frames");
    const size_t sizes[BUFFER_COUNT] = {
        [BUFFER_JOINT_VALUES] = frames * joint_value_count(device) * sizeof(float),
        [BUFFER_SET_VALUES] = frames * set_value_count(device) * sizeof(float),
        [BUFFER_SET_VARIANTS] = frames * sets,
        [BUFFER_FIRST_VALUES] = frames * first_value_count(device) * sizeof(float),
        [BUFFER_OUT] = frames * reals * sizeof(float),
    };
    for (int buffer = BUFFER_JOINT_VALUES; buffer < BUFFER_COUNT; buffer++)
        STATUS_TRY(device->api->allocate(device->handle, (DeviceBuffer)buffer, sizes[buffer]));
    device->frame_count = device->frames_reserved = frame_count;
done:
    return status;
}

/* C'_j of a frame; one that is posed without scale has C'_j = I. */
static void first_values_put(const Device *device, size_t frame, const double *values)
{
    static const float identity[FIRST_VALUES_PER_JOINT] = {[0] = 1.0f, [5] = 1.0f, [10] = 1.0f};
    const size_t count = first_value_count(device);
    float *own = device->first_values + frame * count;
    if (values)
        floats_from(own, values, count);
    else
        for (size_t i = 0; i < count; i++)
            own[i] = identity[i % FIRST_VALUES_PER_JOINT];
}

static void device_pose(void *state, int frame, const PosedFrame *posed)
{
    Device *device = state;
    size_t index = (size_t)frame, sets = (size_t)device->sizes[SIZE_SETS];
    floats_from(device->joint_values + index * joint_value_count(device), posed->joint_values,
                joint_value_count(device));
    floats_from(device->set_values + index * set_value_count(device), posed->set_values,
                set_value_count(device));
    memcpy(device->set_variants + index * sets, posed->set_variants, sets);
    if (device->two_phase)
        first_values_put(device, index, posed->first_values);
}

static Status device_commit(void *state)
{
    Device *device = state;
    size_t frames = (size_t)device->frame_count;
    const struct {
        DeviceBuffer buffer;
        size_t size_bytes;
        const void *data;
    } rows[] = {
        {BUFFER_JOINT_VALUES, frames * joint_value_count(device) * sizeof(float), device->joint_values},
        {BUFFER_SET_VALUES, frames * set_value_count(device) * sizeof(float), device->set_values},
        {BUFFER_SET_VARIANTS, frames * (size_t)device->sizes[SIZE_SETS], device->set_variants},
        {BUFFER_FIRST_VALUES, frames * first_value_count(device) * sizeof(float), device->first_values},
    };
    Status status = status_ok();
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status.code == STATUS_OK; i++)
        if (rows[i].size_bytes > 0)
            status = device->api->upload(device->handle, rows[i].buffer, rows[i].size_bytes, rows[i].data);
    return status;
}

static Status device_launch(void *state)
{
    Device *device = state;
    Status status = status_ok();
    device->time_s = 0.0;
    for (int first = 0; first < device->frame_count && device->sizes[SIZE_VERTICES] > 0;
         first += FRAMES_PER_LAUNCH) {
        int left = device->frame_count - first;
        device->sizes[SIZE_FIRST_FRAME] = first;
        STATUS_TRY(device->api->launch(device->handle, device->sizes,
                                       left < FRAMES_PER_LAUNCH ? left : FRAMES_PER_LAUNCH, &device->time_s));
    }
done:
    return status;
}

static Status device_read(void *state, int frame, const SkinTarget *target)
{
    Device *device = state;
    size_t vertices = (size_t)device->sizes[SIZE_VERTICES];
    size_t size_bytes = (size_t)device->components * vertices * sizeof(float);
    if (vertices == 0)
        return status_ok();
    Status status = device->api->download(device->handle, BUFFER_OUT, (size_t)frame * size_bytes, size_bytes,
                                          device->result);
    for (size_t i = 0; i < vertices && status.code == STATUS_OK; i++)
        for (int component = 0; component < device->components; component++)
            skin_target_put(target, (int64_t)i, component,
                            (double)device->result[(size_t)component * vertices + i]);
    return status;
}

static double device_time_s(const void *state)
{
    return ((const Device *)state)->time_s;
}

const BackendFunctions device_functions = {.release = device_release,
                                           .reserve = device_reserve,
                                           .pose = device_pose,
                                           .commit = device_commit,
                                           .skin = device_launch,
                                           .read = device_read,
                                           .device_time_s = device_time_s};
