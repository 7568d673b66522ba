/* Tests small FBX files, written as text: refusals, forms of text, and morph targets. Rigs are tested in
 * test_fbx_chains.c. */
#include "tests/imports.h"

#include "datasets/geometry/points.h"

/* Imports a file of a triangle with one joint, to which `objects` and `connections` are added. */
static Status small_import(const char *version, const char *objects, const char *connections, Dataset **out)
{
    static const char unit[] = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
    text_write(
        path_of("small.fbx"),
        text_of("; FBX\nFBXHeaderExtension: {\n FBXVersion: %s\n}\nObjects: {\n"
                "Model: 1, \"Model::body\", \"Mesh\" {\n}\nModel: 2, \"Model::bone\", \"LimbNode\" {\n}\n"
                "Geometry: 3, \"Geometry::g\", \"Mesh\" {\n Vertices: *9 {\n a: 0,0,0,1,0,0\n,0,1,0\n }\n"
                " PolygonVertexIndex: *3 {\n a: 0,1,-3\n }\n}\n"
                "Deformer: 4, \"Deformer::\", \"Skin\" {\n}\n"
                "Deformer: 5, \"SubDeformer::\", \"Cluster\" {\n Indexes: *3 {\n a: 0,1,2\n }\n"
                " Weights: *3 {\n a: 1,1,1\n }\n Transform: *16 {\n a: %s\n }\n}\n%s\n}\nConnections: {\n"
                "C: \"OO\",1,0\nC: \"OO\",2,0\nC: \"OO\",3,1\nC: \"OO\",4,3\nC: \"OO\",5,4\nC: \"OO\",2,5\n"
                "%s\n}\n",
                version, unit, objects, connections));
    return imported("fbx", path_of("small.fbx"), (ImportOptions){0}, out);
}

#define LAYERED                                                                                              \
    "AnimationStack: 10, \"AnimStack::s\", \"\" {\n}\nAnimationLayer: 11, \"AnimLayer::base\", \"\" {\n}\n"  \
    "AnimationCurveNode: 12, \"AnimCurveNode::c\", \"\" {\n}"
#define LAYERED_LINKS "C: \"OO\",11,10\nC: \"OO\",12,11\n"

TEST(test_refusals)
{
    static const char *const rows[][3] = {
        {"Model: 7, \"Model::m\", \"Null\" {\n Properties70: {\n P: \"RotationOrder\", \"enum\", \"\", \"\", "
         "6\n }\n}",
         "", "Model 'm' has a spheric or unknown rotation order, which is not read: open it in Blender"},
        {"Model: 7, \"Model::m\", \"Null\" {\n Properties70: {\n P: \"InheritType\", \"enum\", \"\", \"\", "
         "3\n }\n}",
         "", "Model 'm' has an unknown InheritType"},
        {"Model: 7, \"Model::m\", \"Null\" {\n}", "C: \"OO\",2,7\nC: \"OO\",2,1",
         "Model 'bone' has several parents"},
        {"Model: 7, \"Model::m\", \"Null\" {\n}", "C: \"OO\",2,7\nC: \"OO\",7,2", "is its own ancestor"},
        {"Model: 1, \"Model::m\", \"Null\" {\n}", "", "two objects have the number 1"},
        {"Deformer: 7, \"Deformer::\", \"Skin\" {\n}", "C: \"OO\",7,3", "Geometry 'g' has several skins"},
        {"Deformer: 7, \"SubDeformer::x\", \"Cluster\" {\n Mode: \"Additive\"\n Transform: *16 {\n a: "
         "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n }\n}",
         "C: \"OO\",7,4\nC: \"OO\",1,7", "Deformer 'x' is additive"},
        {"Deformer: 7, \"SubDeformer::x\", \"Cluster\" {\n Indexes: *2 {\n a: 0,1\n }\n Weights: *1 {\n a: "
         "1\n }\n Transform: *16 {\n a: "
         "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n }\n}",
         "C: \"OO\",7,4\nC: \"OO\",1,7", "Deformer 'x' has different numbers of weights and indices"},
        {"Deformer: 7, \"SubDeformer::x\", \"Cluster\" {\n Transform: *3 {\n a: 1,0,0\n }\n}",
         "C: \"OO\",7,4\nC: \"OO\",1,7", "Deformer 'x' has no bind matrix of 16 numbers"},
        {"Deformer: 7, \"SubDeformer::x\", \"Cluster\" {\n Transform: *16 {\n a: "
         "1,0,0,0,0,0,0,0,0,0,1,0,0,0,0,1\n }\n}",
         "C: \"OO\",7,4\nC: \"OO\",1,7", "the inverse bind matrix of 'body' has no inverse"},
        {"Deformer: 7, \"Deformer::\", \"BlendShape\" {\n}\nDeformer: 8, \"SubDeformer::smile\", "
         "\"BlendShapeChannel\" {\n}\n"
         "Geometry: 9, \"Geometry::\", \"Shape\" {\n}\nGeometry: 10, \"Geometry::\", \"Shape\" {\n}",
         "C: \"OO\",7,3\nC: \"OO\",8,7\nC: \"OO\",9,8\nC: \"OO\",10,8",
         "Deformer 'smile' has in-between shapes"},
        {"Deformer: 7, \"Deformer::\", \"BlendShape\" {\n}\nDeformer: 8, \"SubDeformer::smile\", "
         "\"BlendShapeChannel\" {\n}\nGeometry: 9, \"Geometry::\", \"Shape\" {\n Indexes: *2 {\n a: 0,1\n "
         "}\n "
         "Vertices: *3 {\n a: 0,0,1\n }\n}",
         "C: \"OO\",7,3\nC: \"OO\",8,7\nC: \"OO\",9,8",
         "Deformer 'smile' has a shape that lacks the offset of a vertex"},
        {LAYERED, LAYERED_LINKS "C: \"OP\",12,11,\"Weight\"", "AnimationLayer 'base' has an animated weight"},
        {LAYERED, LAYERED_LINKS "C: \"OP\",12,2,\"RotationPivot\"",
         "Model 'bone' has an animated pivot or offset"},
        {LAYERED "\nAnimationCurve: 13, \"AnimCurve::\", \"\" {\n KeyTime: *2 {\n a: 5,4\n }\n "
                 "KeyValueFloat: *2 {\n a: "
                 "1,2\n }\n}",
         LAYERED_LINKS "C: \"OP\",12,2,\"Lcl Rotation\"\nC: \"OP\",13,12,\"d|X\"", "after one at"},
        {LAYERED "\nAnimationCurve: 13, \"AnimCurve::\", \"\" {\n KeyTime: *2 {\n a: 4,5\n }\n "
                 "KeyValueFloat: *1 {\n a: "
                 "1\n }\n}",
         LAYERED_LINKS "C: \"OP\",12,2,\"Lcl Rotation\"\nC: \"OP\",13,12,\"d|X\"",
         "AnimationCurve '' has more or fewer values than times"},
        {"Geometry: 7, \"Geometry::h\", \"Mesh\" {\n Vertices: 0,0,0,1\n}", "C: \"OO\",7,1",
         "Geometry 'h' has vertices with less than 3"},
        {"Geometry: 7, \"Geometry::h\", \"Mesh\" {\n Vertices: 0,0,0\n PolygonVertexIndex: "
         "0,0,-4000000000\n}",
         "C: \"OO\",7,1", "corner 2 of a polygon of 'body' is vertex 3999999999, expected 0 to 0"},
        {"Geometry: 7, \"Geometry::h\", \"Mesh\" {\n Vertices: 0,0,zero\n}", "C: \"OO\",7,1",
         "small.fbx:33: expected a number"},
        {"Geometry: 7, \"Geometry::h\", \"Mesh\" {\n Vertices: 0,-1.#IND,0\n}", "C: \"OO\",7,1",
         "coordinate 1 of vertex 0 of 'body' is nan, expected a finite number"},
        {"Model: 7, \"Model::m\", \"Null\" {\n Properties70: {\n P: \"Lcl Translation\", \"\", \"\", \"A\", "
         "0,1.#INF,0\n }\n}",
         "", "nodes[2] (m): its transformation is not finite"},
        {"a: {", "", "the file ends within a node"},
    };
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    assert_ok(small_import("7400", "", "", &dataset));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Dataset *none = NULL;
        assert_bad_input(rows[i][2], small_import("7400", rows[i][0], rows[i][1], &none));
    }
    Dataset *none = NULL;
    assert_bad_input("is FBX version 6100, but only 7000 to 7900 can be read",
                     small_import("6100", "", "", &none));
    assert_bad_input("a name followed by a colon", small_import("7400", "} } {", "", &none));
    char deep[300] = "", many[4096] = LAYERED_LINKS;
    for (int i = 0; i < 70; i++) {
        strcat(deep, "a: {");
        strcat(many, "C: \"OP\",12,2,\"Lcl Rotation\"\n");
    }
    assert_bad_input("nodes are nested too deeply", small_import("7400", deep, "", &none));
    assert_bad_input("AnimationCurveNode 'c' moves more properties than are supported",
                     small_import("7400", LAYERED, many, &none));
}

/* A text file may begin with a byte-order mark, and its lines, comments included, may end in CR alone. */
TEST(test_text_forms)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    OWNED_BY(dataset_free) Dataset *whole = NULL;
    assert_ok(small_import("7400", "", "", &whole));
    size_t size = 0;
    OWNED char *text = file_read(path_of("small.fbx"), &size);
    for (int i = 0; i < 6; i++) {
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        FILE *file = fopen(path_of("form.fbx"), "wb");
        assert_non_null(file);
        fputs(i < 3 ? "" : "\xef\xbb\xbf", file);
        for (size_t c = 0; c < size; c++)
            text[c] == '\n' ? fputs(ends[i % 3], file) : fputc(text[c], file);
        assert_int_equal(fclose(file), 0);
        assert_ok(imported("fbx", path_of("form.fbx"), (ImportOptions){0}, &dataset));
        assert_int_equal(dataset->mesh.vertex_count, 3);
        assert_memory_equal(dataset->mesh.rest, whole->mesh.rest, 9 * sizeof(float));
    }
}

/* Tests morph targets: offsets of chosen vertices, scaled by a percentage, either static or animated. */
TEST(test_morphs)
{
    static const char objects[] =
        "Deformer: 7, \"Deformer::\", \"BlendShape\" {\n}\n"
        "Deformer: 8, \"SubDeformer::smile\", \"BlendShapeChannel\" {\n Properties70: {\n P: "
        "\"DeformPercent\", \"Number\", "
        "\"\", \"A\", 50\n }\n}\nGeometry: 9, \"Geometry::\", \"Shape\" {\n Indexes: *1 {\n a: 1\n }\n "
        "Vertices: *3 {\n a: "
        "0,0,8\n }\n}\n" LAYERED "\nAnimationCurve: 13, \"AnimCurve::\", \"\" {\n KeyTime: *2 {\n a: "
        "0,46186158000\n }\n KeyValueFloat: *2 {\n a: "
        "25,100\n }\n}";
    static const char links[] = "C: \"OO\",7,3\nC: \"OO\",8,7\nC: \"OO\",9,8\n";
    OWNED_BY(dataset_free) Dataset *still = NULL, *moved = NULL;
    assert_ok(small_import("7400", objects, links, &still));
    assert_vec3(point_at(still->mesh.rest, 1), vec3_make(1.0, 0.0, 4.0), 1e-6);
    assert_ok(small_import("7400", objects,
                           text_of("%s" LAYERED_LINKS
                                   "C: \"OP\",12,8,\"DeformPercent\"\nC: \"OP\",13,12,\"d|DeformPercent\"",
                                   links),
                           &moved));
    assert_int_equal(moved->animation.frame_count, 2);
    assert_vec3(point_at(moved->animation.positions, 1), vec3_make(1.0, 0.0, 2.0), 1e-6);
    assert_vec3(point_at(moved->animation.positions, 4), vec3_make(1.0, 0.0, 8.0), 1e-6);
    /* a position beyond the bound in a later frame is the input's fault */
    OWNED_BY(free) char *far = strdup(objects);
    Dataset *none = NULL;
    memcpy(strstr(far, "0,0,8") + 4, "9e8}", 4);
    memcpy(strstr(far, "25,100"), "25,200", 6);
    assert_bad_input(
        "small.fbx: frames[1,1,2] is 1.8e+09",
        small_import("7400", far,
                     text_of("%s" LAYERED_LINKS
                             "C: \"OP\",12,8,\"DeformPercent\"\nC: \"OP\",13,12,\"d|DeformPercent\"",
                             links),
                     &none));
    /* a shape that is whole at 25 percent has twice its offset at 50 percent */
    OWNED_BY(free) char *early = strdup(objects);
    OWNED_BY(dataset_free) Dataset *twice = NULL;
    char *properties = strstr(early, "Properties70");
    assert_ok(small_import(
        "7400",
        text_of("%.*sFullWeights: *1 {\n a: 25\n }\n %s", (int)(properties - early), early, properties),
        links, &twice));
    assert_vec3(point_at(twice->mesh.rest, 1), vec3_make(1.0, 0.0, 16.0), 1e-6);
    /* a percentage beside the properties, as Blender writes it, counts unless there is a property */
    for (int i = 0; i < 2; i++) {
        OWNED_BY(dataset_free) Dataset *beside = NULL;
        assert_ok(small_import("7400",
                               text_of("%.*sDeformPercent: 25\n %s%s", (int)(properties - early), early,
                                       i == 0 ? "Without" : "", properties),
                               links, &beside));
        assert_vec3(point_at(beside->mesh.rest, 1), vec3_make(1.0, 0.0, i == 0 ? 2.0 : 4.0), 1e-6);
    }
}

static void note_find(void *context, const char *text)
{
    bool *found = context;
    *found = *found || strstr(text, "1 curves continue before or after their keys");
}

/* Files of FBX SDK 2020 may have the coarser of two units of time. A curve that is to continue beyond its
 * keys is held, and a note says so. */
TEST(test_times)
{
    static const char objects[] = LAYERED "\nAnimationCurve: 13, \"AnimCurve::\", \"\" {\n KeyTime: *2 {\n "
                                          "a: 0,%s\n }\n KeyValueFloat: *2 {\n a: "
                                          "0,90\n }\n Post-Extrapolation: {\n Type: %s\n }\n}";
    static const char links[] = LAYERED_LINKS "C: \"OP\",12,2,\"Lcl Rotation\"\nC: \"OP\",13,12,\"d|X\"";
    static const char *const rows[][3] = {
        {"23093079000", "C", "7700"},
        {"23093079000", "C", "7700\n OtherFlags: {\n TCDefinition: 127\n }"},
        {"70560000", "R", "7700\n OtherFlags: {\n TCDefinition: 0\n }"}};
    for (int i = 0; i < 3; i++) {
        bool found = false;
        const FormatNotes notes = {note_find, &found};
        OWNED_BY(dataset_free) Dataset *dataset = NULL, *noted = NULL;
        assert_ok(small_import(rows[i][2], text_of(objects, rows[i][0], rows[i][1]), links, &dataset));
        assert_true(dataset->fps == 2.0);
        assert_ok(imported("fbx", path_of("small.fbx"), (ImportOptions){.notes = &notes}, &noted));
        assert_int_equal(found, i == 2);
    }
}
