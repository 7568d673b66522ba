/* The table of formats that `import` and `export` know (formats.c). A new format needs one source file and
 * one row of the table. */
#pragma once

#include "datasets/formats/format_task.h"
#include "datasets/io/store.h"
#include "datasets/io/temporary_folder.h"

/* The first bytes and the names by which a format is recognised. They belong to the input itself or, if it
 * is a folder or an archive, to its first member. */
typedef struct FormatSample {
    const char *path;          /* path of the input as given */
    const char *name;          /* name of the file or member */
    const unsigned char *head; /* first bytes [size] of the file, at most FORMAT_HEAD_BYTES */
    size_t size;
} FormatSample;

enum { FORMAT_HEAD_BYTES = 4096 };

/* Options that a format supports. FORMAT_RIG: `import` accepts an order of the vertices. FORMAT_SKIN:
 * `export` accepts colours and can bake positions. All other flags are options of `import`. */
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
    const char *extensions;  /* ends of file names in lower case, such as ".obj", separated by spaces */
    const char *kept, *lost; /* what the import preserves of such a file, and what it loses */
    const char *start;       /* text with which every file of this format begins, or NULL */
    bool (*recognise)(const FormatSample *sample); /* whether the content has this format. NULL: `start` or,
                                                      without it, only the extension can tell */
    unsigned options;                              /* FORMAT_REST | FORMAT_FPS ... */
    const char *
        lacking; /* reason why this build cannot import the format, and what to do about it; NULL if it can */
    const char
        *package; /* name of a package that must be installed before building; NULL if none is missing */
    /* Imports the input into a data set file. `output` appears only on success. NULL: the format cannot be
     * imported. */
    Status (*import)(const ImportOptions *options, const char *output);
    /* Exports a data set file to this format. NULL: the format cannot be exported. */
    Status (*export)(const ExportOptions *options);
} Format;

/* Whether a file begins with a text. */
bool format_sample_starts(const FormatSample *sample, const char *text);
/* Whether the content of a file has a format, by the row's `start` and `recognise`. */
bool format_recognises(const Format *format, const FormatSample *sample);

int format_count(void);
const Format *format_at(int index);
const Format *format_find(const char *name); /* NULL if unknown */
/* Adds a suggestion to a failure: the most similar name of a format that can be exported or imported. */
Status format_suggest(const char *name, bool exported, Status status);

/* Whether a file's name ends in one of the format's extensions, ignoring case. */
bool format_has_extension(const Format *format, const char *name);

#define DATASET_ENDINGS ".h5 .hdf5"

/* Returns STATUS_USAGE if the name of an output has the extension of another format or of an archive, so
 * that a reader would mistake the file for it. The space-separated `endings` and unknown extensions are
 * allowed. */
Status output_ending_check(const char *path, const char *endings);

/* Detects the format of a file, folder, pattern or archive: by its content if possible, otherwise by its
 * extension. A folder or an archive has the format of its first known member. STATUS_BAD_INPUT if no format
 * is found, or if the input cannot be read. */
Status format_detect(const char *input, const Format **out);

/* Explains the failure of a command that expects a data set file. If `path` is a file of another known
 * format, the message says how to import it. */
Status format_explain(Status status, const char *path);

/* The functions of the formats, one file each. */

/* One OBJ, PLY or OFF file per frame (sequence.h), all with the same faces. The rest pose is the file that
 * --rest names, otherwise the rest file of the sequence, otherwise the first frame. The export is a new
 * folder with 0001.obj, 0002.obj, ... and rest.obj, which gives the same floats when imported. If OUTPUT
 * ends in .obj, .ply or .off, only the rest pose is exported. */
Status obj_sequence_import(const ImportOptions *options, const char *output);
Status obj_sequence_export(const ExportOptions *options);
Status ply_sequence_import(const ImportOptions *options, const char *output);
Status ply_sequence_export(const ExportOptions *options);
Status off_sequence_import(const ImportOptions *options, const char *output);
Status off_sequence_export(const ExportOptions *options);

/* One glTF 2.0 file, .gltf or .glb. gltf_read.h says what is read, and scene_dataset.h how a scene becomes
 * a data set. */
Status gltf_import(const ImportOptions *options, const char *output);

/* One FBX file, or one Collada file if skinbench was built with assimp. scene.h says what is read, and
 * scene_dataset.h how a scene becomes a data set. */
Status fbx_import(const ImportOptions *options, const char *output);
Status collada_import(const ImportOptions *options, const char *output);

/* Point caches and NumPy arrays (point_cache.c, numpy.c) contain the positions of all frames. --rest names
 * the mesh file with the rest pose and the faces. For .npy, a second input may contain the faces [T,3].
 * Exports contain only the positions. */
Status pc2_import(const ImportOptions *options, const char *output);
Status pc2_export(const ExportOptions *options);
Status mdd_import(const ImportOptions *options, const char *output);
Status mdd_export(const ExportOptions *options);
Status npy_import(const ImportOptions *options, const char *output);
Status npy_export(const ExportOptions *options);
Status npz_import(const ImportOptions *options, const char *output);

/* HDF5 files that contain sequences and their faces (hdf5_layouts.c). For DFAUST, options->clip selects the
 * sequence. */
bool splocs_recognise(const FormatSample *sample);
Status splocs_import(const ImportOptions *options, const char *output);
bool dfaust_recognise(const FormatSample *sample);
Status dfaust_import(const ImportOptions *options, const char *output);

/* The input is NAME.tgf. The rest pose is NAME.obj in the same folder unless the options name another file.
 * fps defaults to 1 because the poses are not consecutive. */
Status cragl_rig_import(const ImportOptions *options, const char *output);

/* One file of bones and weights, possibly compressed. The bones move the rest pose of the data set
 * options->mesh. Each vertex's weights are scaled to sum 1. */
Status ssd_import(const ImportOptions *options, const char *output);

/* RigNet's text: a skeleton and weights. The mesh is options->mesh, or the OBJ file beside the text. Without
 * vertices or weights, only the skeleton is imported. The export also writes NAME.obj beside NAME_rig.txt or
 * NAME.txt, which must not exist. */
bool rignet_recognise(const FormatSample *sample);
Status rignet_import(const ImportOptions *options, const char *output);
Status rignet_export(const ExportOptions *options);

/* Weights [N,P] of an array, which replace those of the rig in the data set options->mesh. */
Status weights_import(const ImportOptions *options, const char *output);

/* Exports a data set as one file: the rig as a skin and one clip (gltf_skin.h), or the frames as morph
 * targets if there is no rig or if `baked` is set. A skinned mesh has the normals of the rest pose; a baked
 * mesh has no normals. Notes state what was lost. Negative weights and per-frame corrections of the rest
 * pose (EigenSkin) can only be baked; without `baked`, they give STATUS_BAD_INPUT. */
Status gltf_export(const ExportOptions *options);
Status glb_export(const ExportOptions *options);

/* Open data set files named by a user. They work like dataset_read and dataset_reader_open (store.h), but
 * format_explain explains their failures. Release with dataset_free and dataset_reader_close. */
Status dataset_load(const char *path, const Progress *progress, Dataset **out);
Status dataset_open(const char *path, const Progress *progress, DatasetReader **out, const Dataset **header);

/* Imports of files into a temporary folder. Start with zeros; end with file_imports_clear, which removes the
 * folder. */
enum { FILE_IMPORT_PATH_BYTES = 4096 };
typedef struct FileImports {
    TemporaryFolder *folder;
    int count;
} FileImports;
void file_imports_clear(FileImports *imports);

/* Imports the file `given` as a data set that is named like the file, and stores its path. `mesh` is a data
 * set with the mesh, or NULL. */
Status file_import(FileImports *imports, const Format *format, const char *given, const char *mesh,
                   const Progress *progress, char path[FILE_IMPORT_PATH_BYTES]);

/* Reads a data set file, or imports a file of another format by way of a temporary file. `mesh` (may be
 * NULL) is the mesh of a format that has none (FORMAT_MESH), in any format. Release with dataset_free. */
Status dataset_load_any(const char *path, const char *mesh, const Progress *progress, Dataset **out);

/* Checks that a file can be opened and read, but does not read its positions and normals. Commands use it
 * to check all inputs before they start to work. */
Status dataset_probe(const char *path, const Progress *progress);
