/* The table of formats that `import` and `export` know (formats.c). A new format is one file and one
 * row. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/io/store.h"

/* The evidence for recognising a format: a file, or the first member of a folder or an archive. */
typedef struct FormatSample {
    const char *path;          /* path of the input as given */
    const char *name;          /* name of the file or member */
    const unsigned char *head; /* first bytes [size] of the file, at most FORMAT_HEAD_BYTES */
    size_t size;
} FormatSample;

enum { FORMAT_HEAD_BYTES = 4096 };

/* Options that a format supports. FORMAT_RIG: `import` may be given an order of the vertices. FORMAT_SKIN:
 * `export` may be given colours or be asked for baked positions. The others are options of `import`. */
enum {
    FORMAT_REST = 1,
    FORMAT_FPS = 2,
    FORMAT_CLIP = 4,
    FORMAT_SCALE = 8,
    FORMAT_SKIN = 16,
    FORMAT_RIG = 32,
    FORMAT_MESH = 64
};

typedef struct Format {
    const char *name; /* name as given to `import` and `export` */
    const char *title;
    const char *extensions;  /* file extensions with the dot, in lower case, separated by spaces */
    const char *kept, *lost; /* contents of such files that are kept and lost */
    bool (*recognise)(const FormatSample *sample); /* by content; NULL: only by extension */
    unsigned options;                              /* FORMAT_REST | FORMAT_FPS ... */
    const char *lacking; /* why this build cannot import it, and what to do; or NULL */
    const char *package; /* package to install before building, if one is missing; or NULL */
    /* Writes a data set file. `output` appears only on success. NULL: the format cannot be imported. */
    Status (*import)(const ImportOptions *options, const char *output);
    /* Exports a data set file to this format. NULL: the format cannot be exported. */
    Status (*export)(const ExportOptions *options);
} Format;

int format_count(void);
const Format *format_at(int index);
const Format *format_find(const char *name); /* NULL if unknown */
/* Adds to a failure the most similar format name among those that are exported or imported. */
Status format_suggest(const char *name, bool exported, Status status);

/* Whether a file's name ends in one of the format's extensions, ignoring case. */
bool format_has_extension(const Format *format, const char *name);

#define DATASET_ENDINGS ".h5 .hdf5"

/* STATUS_USAGE if the name of an output has an ending of another format than the space-separated `endings`,
 * because a reader would mistake the file for that format. Unknown endings are allowed. */
Status output_ending_check(const char *path, const char *endings);

/* Detects the format of a file, folder, pattern or archive: by content if a row recognises it, otherwise by
 * extension. A folder or an archive has the format of its first known member. STATUS_BAD_INPUT if there is
 * none, or if the input cannot be read. */
Status format_detect(const char *input, const Format **out);

/* For commands that take data set files: if `path` is a file of another format, adds to the failure how to
 * import it. */
Status format_explain(Status status, const char *path);

/* The functions of the formats, one file each. */

/* One OBJ, PLY or OFF file per frame (sequence.h), all with the same faces. The rest pose is the rest file;
 * it is the first frame if there is none or if --rest asks for it. The export is a new folder with
 * 0001.obj, 0002.obj, ... and rest.obj, which gives the same floats when imported. If OUTPUT ends in .obj,
 * .ply or .off, only the rest pose is exported. */
Status obj_sequence_import(const ImportOptions *options, const char *output);
Status obj_sequence_export(const ExportOptions *options);
Status ply_sequence_import(const ImportOptions *options, const char *output);
Status ply_sequence_export(const ExportOptions *options);
Status off_sequence_import(const ImportOptions *options, const char *output);
Status off_sequence_export(const ExportOptions *options);

/* One glTF 2.0 file, .gltf or .glb. gltf_read.h says what is read, scene_dataset.h how it becomes a data
 * set. */
Status gltf_import(const ImportOptions *options, const char *output);

/* One FBX file (fbx_read.h), or one Collada file if skinbench was built with assimp (assimp_read.h). See
 * scene_dataset.h for how either becomes a data set. */
Status fbx_import(const ImportOptions *options, const char *output);
Status collada_import(const ImportOptions *options, const char *output);

/* Point caches and NumPy arrays (point_cache.c, numpy.c) hold the positions of all frames. --rest names the
 * mesh file with the rest pose and the faces. For .npy, a second input may hold the faces [T,3]. Exports
 * hold only the positions. */
bool pc2_recognise(const FormatSample *sample);
Status pc2_import(const ImportOptions *options, const char *output);
Status pc2_export(const ExportOptions *options);
Status mdd_import(const ImportOptions *options, const char *output);
Status mdd_export(const ExportOptions *options);
bool npy_recognise(const FormatSample *sample);
Status npy_import(const ImportOptions *options, const char *output);
Status npy_export(const ExportOptions *options);
Status npz_import(const ImportOptions *options, const char *output);

/* HDF5 layouts of sequences with faces (hdf5_layouts.c). For DFAUST, options->clip selects a sequence. */
bool splocs_recognise(const FormatSample *sample);
Status splocs_import(const ImportOptions *options, const char *output);
bool dfaust_recognise(const FormatSample *sample);
Status dfaust_import(const ImportOptions *options, const char *output);

/* The input is NAME.tgf. The rest pose is NAME.obj beside it unless another is named. fps defaults to 1
 * because the poses are not consecutive. */
Status cragl_rig_import(const ImportOptions *options, const char *output);

/* One file of bones and weights, compressed or not, which move the rest pose of the data set options->mesh.
 * Weights are scaled to sum 1. */
Status ssd_import(const ImportOptions *options, const char *output);

/* Writes one file with the rig as a skin and one clip (gltf_skin.h), or with the frames as morph targets if
 * there is no rig or `baked` is set. Normals are those of the rest pose; baked meshes have none. Notes
 * state what was lost. Without `baked`, negative weights and per-frame rest pose corrections (EigenSkin)
 * give STATUS_BAD_INPUT. */
Status gltf_export(const ExportOptions *options);
Status glb_export(const ExportOptions *options);

/* Open data set files named by a user, like dataset_read and dataset_reader_open (store.h). Failures are
 * explained by format_explain. Release with dataset_free and dataset_reader_close. */
Status dataset_load(const char *path, const Progress *progress, Dataset **out);
Status dataset_open(const char *path, const Progress *progress, DatasetReader **out, const Dataset **header);

/* Checks that a file can be opened and that everything but its positions and normals can be read. For
 * commands that check all their inputs before they do any work. */
Status dataset_probe(const char *path, const Progress *progress);
