/* The table of formats. */
#include "datasets/formats/formats.h"

#include "datasets/base/nearest_name.h"
#include <ctype.h>
#include <strings.h>

bool format_sample_starts(const FormatSample *sample, const char *text)
{
    return sample->size >= strlen(text) && memcmp(sample->head, text, strlen(text)) == 0;
}

bool format_recognises(const Format *format, const FormatSample *sample)
{
    return format->recognise ? format->recognise(sample)
                             : format->start && format_sample_starts(sample, format->start);
}

static bool ply_recognise(const FormatSample *sample)
{
    return format_sample_starts(sample, "ply") && sample->size > 4 && isspace(sample->head[3]);
}

/* Recognises files whose first word is OFF, COFF, NOFF or similar. */
static bool off_recognise(const FormatSample *sample)
{
    size_t length = 0;
    while (length < sample->size && length < 8 && isupper(sample->head[length]))
        length++;
    return length >= 3 && length < sample->size && memcmp(sample->head + length - 3, "OFF", 3) == 0 &&
           isspace(sample->head[length]);
}

/* Whether the first bytes of a file contain a text. */
static bool head_holds(const FormatSample *sample, const char *text)
{
    const size_t length = strlen(text);
    for (size_t offset = 0; offset + length <= sample->size; offset++)
        if (memcmp(sample->head + offset, text, length) == 0)
            return true;
    return false;
}

/* Recognises a .glb file, or JSON whose first bytes contain the word "asset". */
static bool gltf_recognise(const FormatSample *sample)
{
    size_t offset = 0;
    while (offset < sample->size && isspace(sample->head[offset]))
        offset++;
    return format_sample_starts(sample, "glTF") ||
           (offset < sample->size && sample->head[offset] == '{' && head_holds(sample, "\"asset\""));
}

static bool fbx_recognise(const FormatSample *sample)
{
    return format_sample_starts(sample, "Kaydara FBX Binary  ") ||
           (format_sample_starts(sample, ";") && head_holds(sample, "FBXHeaderExtension"));
}

static bool ssd_recognise(const FormatSample *sample)
{
    return head_holds(sample, "*OBJFILENAME") || head_holds(sample, "*BONEANIMATION");
}

static bool collada_recognise(const FormatSample *sample)
{
    return head_holds(sample, "<COLLADA");
}

#ifdef SKINBENCH_ASSIMP
#define ASSIMP_IMPORT(function) .import = function
#else
#define ASSIMP_IMPORT(function)                                                                              \
    .lacking = "skinbench was built without assimp: install libassimp-dev and build it again",               \
    .package = "libassimp-dev"
#endif

/* The formats, in the order in which detection tries them. */
static const Format formats[] = {
    {.name = "obj-sequence",
     .title = "one Wavefront OBJ file per frame, in a folder, an archive, or named individually",
     .extensions = ".obj",
     .kept = "vertices in file order, polygons as triangle fans",
     .lost = "texture coordinates, normals, groups, materials",
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = obj_sequence_import,
     .export = obj_sequence_export},
    {.name = "ply-sequence",
     .title = "one PLY file per frame, text or binary, in a folder, an archive, or named individually",
     .extensions = ".ply",
     .kept = "vertices in file order, polygons as triangle fans; written as little-endian floats",
     .lost = "colours, normals, other properties and elements, precision of doubles beyond float",
     .recognise = ply_recognise,
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = ply_sequence_import,
     .export = ply_sequence_export},
    {.name = "off-sequence",
     .title = "one OFF file (Geomview, text) per frame, in a folder, an archive, or named individually",
     .extensions = ".off",
     .kept = "vertices in file order, polygons as triangle fans",
     .lost = "colours, normals, texture coordinates",
     .recognise = off_recognise,
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = off_sequence_import,
     .export = off_sequence_export},
    {.name = "gltf",
     .title = "glTF 2.0: skinned, moved or morphed meshes with their clips; written with an embedded buffer",
     .extensions = ".gltf .glb",
     .kept = "vertices in file order, joints by their inverse bind matrices, all influences, clips, morph "
             "targets; written with normals of the rest pose and vertex colours",
     .lost = "normals, texture coordinates, materials, lines and points, cameras, lights; when written: "
             "shear of joints (reported), except for baked positions",
     .recognise = gltf_recognise,
     .options = FORMAT_FPS | FORMAT_CLIP | FORMAT_SCALE | FORMAT_SKIN | FORMAT_RIG,
     .import = gltf_import,
     .export = gltf_export},
    {.name = "glb",
     .title = "glTF 2.0 in one binary file",
     .extensions = ".glb",
     .kept = "as gltf",
     .lost = "as gltf",
     .options = FORMAT_FPS | FORMAT_CLIP | FORMAT_SCALE | FORMAT_SKIN | FORMAT_RIG,
     .import = gltf_import,
     .export = glb_export},
    {.name = "fbx",
     .title = "Autodesk FBX, text or binary: skinned, moved or morphed meshes with their clips",
     .extensions = ".fbx",
     .kept = "vertices in the order in which polygons use them, joints by their bind matrices, all "
             "influences, clips with their layers and curves, morph targets",
     .lost = "normals, texture coordinates, materials, lines and points, cameras, lights",
     .recognise = fbx_recognise,
     .options = FORMAT_FPS | FORMAT_CLIP | FORMAT_SCALE | FORMAT_RIG,
     .import = fbx_import},
    {.name = "collada",
     .title = "Collada 1.4 and 1.5: skinned, moved or morphed meshes with their clips",
     .extensions = ".dae",
     .kept = "as for fbx; rotated to y up and scaled to metres",
     .lost = "as for fbx, and curves between keys",
     .recognise = collada_recognise,
     .options = FORMAT_FPS | FORMAT_CLIP | FORMAT_SCALE | FORMAT_RIG,
     ASSIMP_IMPORT(collada_import)},
    {.name = "pc2",
     .title = "a PC2 point cache (3ds Max, Blender); --rest names the mesh with its faces",
     .extensions = ".pc2",
     .kept = "positions of all frames",
     .lost = "faces, rest pose, frames per second (--rest and --fps restore them)",
     .start = "POINTCACHE2",
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = pc2_import,
     .export = pc2_export},
    {.name = "mdd",
     .title = "an MDD point cache (LightWave, Blender); --rest names the mesh with its faces",
     .extensions = ".mdd",
     .kept = "positions of all frames, frames per second",
     .lost = "faces and rest pose (--rest restores them); uneven times",
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = mdd_import,
     .export = mdd_export},
    {.name = "npy",
     .title = "a NumPy array [frames, vertices, 3]; a second input may hold faces [triangles, 3]",
     .extensions = ".npy",
     .kept = "positions of all frames; faces of a second array, or of --rest",
     .lost = "faces, rest pose, frames per second; precision of doubles beyond float",
     .start = "\x93NUMPY",
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = npy_import,
     .export = npy_export},
    {.name = "npz",
     .title =
         "NumPy arrays in an archive: positions and faces, blendshapes and the rigs fitted to them, or a "
         "rig of UniRig and similar programs",
     .extensions = ".npz",
     .kept = "positions of all frames, faces; of a rig, vertices, faces, joints, parents, names, skin",
     .lost = "other arrays, precision of doubles beyond float; pickled arrays, which "
             "scripts/convert-rig-npz.py makes readable",
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = npz_import},
    {.name = "splocs",
     .title = "HDF5 in the layout of SPLOCS: verts [frames, vertices, 3] and tris",
     .extensions = ".hdf5",
     .kept = "positions of all frames, faces",
     .lost = "other arrays, precision of doubles beyond float",
     .recognise = splocs_recognise,
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_SCALE,
     .import = splocs_import},
    {.name = "dfaust",
     .title =
         "HDF5 in the layout of Dynamic FAUST: faces, and a sequence [vertices, 3, frames] under each name",
     .extensions = ".hdf5",
     .kept = "the sequence that --clip names, or all sequences in turn; faces",
     .lost = "where each sequence ends (notes state the frames of each)",
     .recognise = dfaust_recognise,
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_CLIP | FORMAT_SCALE,
     .import = dfaust_import},
    {.name = "alembic",
     .title = "an Alembic archive",
     .extensions = ".abc",
     .kept = "through Blender: positions of all frames, faces",
     .lost = "everything else",
     .start = "Ogawa", /* Alembic's own container; older files are HDF5 */
     .lacking = "Debian has no library that reads it; Blender from blender.org does: `blender -b -P "
                "scripts/convert-with-blender.py -- IN.abc OUT.pc2` writes OUT.pc2 and OUT.obj, for "
                "`skinbench import pc2 OUT.pc2 --rest OUT.obj`"},
    {.name = "cragl-rig",
     .title = "a rig with poses of CraGL/Hyperspectral-Inverse-Skinning: NAME.tgf, beside it NAME.DMAT, "
              "NAME.obj and poses-*/NAME-*.json, .obj and .Tmat",
     .extensions = ".tgf",
     .kept = "skeleton, weights of at least 1e-7, rigid transforms, and the poses as an animation",
     .lost = "weights below 1e-7, the camera",
     .options = FORMAT_REST | FORMAT_FPS | FORMAT_RIG,
     .import = cragl_rig_import},
    {.name = "ssd",
     .title = "a rig of smooth skinning decomposition (Le and Deng): *BONEANIMATION and *VERTEXWEIGHTS; "
              "--mesh names the mesh sequence that this file animates",
     .extensions = ".ssd",
     .kept = "transformations of all bones, weights",
     .lost = "comments",
     .recognise = ssd_recognise,
     .options = FORMAT_MESH | FORMAT_FPS | FORMAT_RIG,
     .import = ssd_import},
    {.name = "rignet",
     .title = "a rig in RigNet's text, NAME_rig.txt; the mesh is NAME.obj beside it or named by --mesh",
     .extensions = "_rig.txt",
     .kept = "skeleton, weights (6 decimals when written); without a mesh, the skeleton alone",
     .lost = "rest rotations, motion; joints NAME_dup_K are joined with NAME",
     .recognise = rignet_recognise,
     .options = FORMAT_MESH | FORMAT_SCALE | FORMAT_RIG,
     .import = rignet_import,
     .export = rignet_export},
    {.name = "weights",
     .title = "weights [vertices, joints] as .npy or .npz, for the rig that --mesh names",
     .extensions = ".npy",
     .kept = "weights, by the array names or joint_names of an .npz, else in the order of the rig's joints",
     .lost = "other arrays; the rig's former weights",
     .options = FORMAT_MESH | FORMAT_RIG,
     .import = weights_import},
    {.name = "skinbench",
     .title = "the data set file, which every command reads and writes",
     .extensions = ".h5",
     .kept = "everything",
     .lost = "nothing",
     .start = "\x89HDF\r\n\x1a\n", /* with a layout that no row above recognises */
     .lacking = "it needs no import (other HDF5 files have an unknown layout)"},
};

int format_count(void)
{
    return (int)(sizeof formats / sizeof formats[0]);
}

const Format *format_at(int index)
{
    return &formats[index];
}

const Format *format_find(const char *name)
{
    for (int i = 0; i < format_count(); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

Status format_suggest(const char *name, bool exported, Status status)
{
    NearestName nearest = {.given = name};
    for (int i = 0; i < format_count(); i++)
        if (exported ? formats[i].export != NULL : formats[i].import != NULL)
            nearest_name_add_candidate(&nearest, formats[i].name);
    return nearest_name_suggest(&nearest, status);
}

/* Whether a name ends in one of the space-separated endings, ignoring case. */
static bool ends_in(const char *name, const char *endings)
{
    size_t length = strlen(name);
    for (const char *next = endings; *next;) {
        size_t size = strcspn(next, " ");
        if (length > size && strncasecmp(name + length - size, next, size) == 0)
            return true;
        next += size + (next[size] == ' ');
    }
    return false;
}

bool format_has_extension(const Format *format, const char *name)
{
    return ends_in(name, format->extensions);
}

Status output_ending_check(const char *path, const char *endings)
{
    bool tells = ends_in(path, ".h5 .jsonl .json .csv .tex .md .html .png .jpg .jpeg .svg .pdf .mp4 .webm "
                               ".tar .tgz .tbz2 .txz .zip .7z .gz .bz2 .xz .lzma .zst");
    for (int i = 0; i < format_count(); i++)
        tells = tells || format_has_extension(format_at(i), path);
    if (!tells || ends_in(path, endings))
        return status_ok();
    return bad_usage("%s: its ending belongs to another format; name an output that ends in %s", path,
                     endings);
}
