/* The formats that `import` and `export` know: rows of a table (formats.c). A new format is a file and a
 * row. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/io/store.h"

/* What a format is recognised by: a file, or the first member of a folder or an archive. */
typedef struct FormatSample {
    const char *path;          /* of the input as given */
    const char *name;          /* of the file or member */
    const unsigned char *head; /* its first bytes [size], at most FORMAT_HEAD_BYTES */
    size_t size;
} FormatSample;

enum { FORMAT_HEAD_BYTES = 4096 };

/* What `import` may be given besides its inputs, where the format has it, FORMAT_RIG an order of the
 * vertices; FORMAT_SKIN: `export` may be asked for colours and baked positions. */
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
    const char *name; /* as after `import` and `export` */
    const char *title;
    const char *extensions;  /* of its files, with the dot, in lower case; several separated by spaces */
    const char *kept, *lost; /* of what such files hold */
    bool (*recognise)(const FormatSample *sample); /* by content; NULL: by extension alone */
    unsigned options;                              /* FORMAT_REST | FORMAT_FPS ... */
    const char *lacking; /* why it cannot be imported here, and what to do; NULL: it can, or never */
    const char *package; /* what to install before building, where that is what lacks; NULL */
    /* Writes a data set file; nothing appears at `output` unless all went well. NULL: cannot be imported. */
    Status (*import)(const ImportOptions *options, const char *output);
    /* Writes a data set file in the format. NULL: cannot be exported. */
    Status (*export)(const ExportOptions *options);
} Format;

int format_count(void);
const Format *format_at(int index);
const Format *format_find(const char *name); /* NULL when there is none */
/* Adds the name of a format that was meant, of those that are exported or of those that are imported. */
Status format_suggest(const char *name, bool exported, Status status);

/* Whether a file's name ends in one of the format's extensions, in either case. */
bool format_has_extension(const Format *format, const char *name);

#define DATASET_ENDINGS ".h5 .hdf5"

/* STATUS_USAGE if the name of an output ends as files of another format than one of `endings` do (separated
 * by spaces): a reader would take the file for what it is not. Endings of no known format are allowed. */
Status output_ending_check(const char *path, const char *endings);

/* The format of an input, a file, folder, pattern or archive: by content where a row recognises it, else by
 * extension; of a folder or an archive, that of its first member that is known. STATUS_BAD_INPUT where there
 * is none, or where the input cannot be read. */
Status format_detect(const char *input, const Format **out);

/* For commands that take data set files: adds to the failure to read `path` which import makes a data set of
 * it, where it is a file of another format. */
Status format_explain(Status status, const char *path);

/* The formats' functions, a file each. */

/* One OBJ, PLY or OFF file per frame (sequence.h), all with the same faces. The rest pose is the rest file,
 * or the first frame without one or where --rest first asks for it. Exported, OUTPUT is a new folder of
 * 0001.obj, 0002.obj, ... and rest.obj, which gives the same floats when imported; with a name that ends in
 * .obj, .ply or .off it is one file, the rest pose. */
Status obj_sequence_import(const ImportOptions *options, const char *output);
Status obj_sequence_export(const ExportOptions *options);
Status ply_sequence_import(const ImportOptions *options, const char *output);
Status ply_sequence_export(const ExportOptions *options);
Status off_sequence_import(const ImportOptions *options, const char *output);
Status off_sequence_export(const ExportOptions *options);

/* One glTF 2.0 file, .gltf or .glb: gltf_read.h says what is read, scene_dataset.h what becomes of it. */
Status gltf_import(const ImportOptions *options, const char *output);

/* One FBX file (fbx_read.h), or one Collada file, if assimp was there when skinbench was built
 * (assimp_read.h); scene_dataset.h says what becomes of either. */
Status fbx_import(const ImportOptions *options, const char *output);
Status collada_import(const ImportOptions *options, const char *output);

/* Point caches and NumPy arrays (point_cache.c, numpy.c): positions of all frames. --rest names the mesh file
 * that gives the rest pose and the faces; of .npy, a second input may be the faces [T,3]. Exported, they hold
 * the positions alone. */
bool pc2_recognise(const FormatSample *sample);
Status pc2_import(const ImportOptions *options, const char *output);
Status pc2_export(const ExportOptions *options);
Status mdd_import(const ImportOptions *options, const char *output);
Status mdd_export(const ExportOptions *options);
bool npy_recognise(const FormatSample *sample);
Status npy_import(const ImportOptions *options, const char *output);
Status npy_export(const ExportOptions *options);
Status npz_import(const ImportOptions *options, const char *output);

/* HDF5 layouts of sequences with faces (hdf5_layouts.c); of DFAUST, options->clip names one. */
bool splocs_recognise(const FormatSample *sample);
Status splocs_import(const ImportOptions *options, const char *output);
bool dfaust_recognise(const FormatSample *sample);
Status dfaust_import(const ImportOptions *options, const char *output);

/* The input is NAME.tgf; the rest pose is NAME.obj beside it when no other is named. fps is 1 unless given:
 * the poses do not follow each other. */
Status cragl_rig_import(const ImportOptions *options, const char *output);

/* One file of bones and weights, packed or not, which move the rest pose of the data set options->mesh.
 * Weights are scaled to sum 1. */
Status ssd_import(const ImportOptions *options, const char *output);

/* Writes the scene to one file: the rig as a skin with one clip (gltf_skin.h), or the frames as morph
 * targets where there is no rig or `baked` asks for them. Normals are those of the rest pose; baked meshes
 * have none. Notes state what was lost. STATUS_BAD_INPUT, unless baked: negative weights, and rest poses that
 * are corrected by frame (EigenSkin). */
Status gltf_export(const ExportOptions *options);
Status glb_export(const ExportOptions *options);

/* Data set files that a user names: as dataset_read and dataset_reader_open (store.h), with what
 * format_explain adds. Release with dataset_free and dataset_reader_close. */
Status dataset_load(const char *path, const Progress *progress, Dataset **out);
Status dataset_open(const char *path, const Progress *progress, DatasetReader **out, const Dataset **header);

/* Whether the file can be opened and all but its positions and normals can be read: for commands that check
 * all their inputs before they do any work. */
Status dataset_probe(const char *path, const Progress *progress);
