/* Collects the terms that a page explains where they are hovered, tapped or focused: the names of methods,
 * and the headings of measures. */
#include "harness/show/report/report_parts.h"

#include "datasets/io/json_table.h"
#include "harness/records/advice/advice.h"
#include "methods/registry.h"

/* Terms that no table of the program explains. */
static const struct {
    const char *term, *title, *text;
} headings[] = {
    {"loss of shape relative to LBS", "Loss of shape",
     "How much volume a method loses, and how far skin moves towards its bones or away from them, divided by "
     "the same for linear blending. Smaller is better."},
    {"loss of shape relative to lbs", "Loss of shape",
     "How much volume a method loses, and how far skin moves towards its bones or away from them, divided by "
     "the same for linear blending. Smaller is better."},
    {"time relative to LBS", "Time",
     "Time of a frame on one thread, pose included, divided by that of linear blending in the same run."},
    {"time relative to lbs", "Time",
     "Time of a frame on one thread, pose included, divided by that of linear blending in the same run."},
    {"unsafe on", "Unsafe rigs",
     "Number of rigs whose skin the method tears or strains, and number of all rigs. A method that is unsafe "
     "on most rigs is never advised."},
    {"error relative to lbs", "Error", "Distance from the reference, divided by that of linear blending."},
    {"E_RMS relative to the best of the kind", "E_RMS",
     "Root mean square error of a fit in thousandths of the radius of the shape, divided by the smallest "
     "error "
     "of a model of the same kind."},
    {"E_RMS", "E_RMS", "Root mean square error of all vertices in thousandths of the radius of the shape."},
    {"KG %", "Karni-Gotsman error", "Error relative to the motion of the animation, in per cent."},
    {"kind of model", "Kind of model",
     "Rigid bones can only rotate and move; affine bones can also stretch. The rest pose is kept as in the "
     "file, or moved to fit better."},
    {"size relative to the smallest", "Size", "Bytes that a player needs, divided by the smallest model's."},
    {"time relative to the shortest", "Time of the fit", "Time to find the model, divided by the shortest."},
    {"tasks", "Tasks", "Number of data sets and numbers of bones on which the method was fitted."},
    {"ns per vertex", "Nanoseconds per vertex", "Time of a frame divided by its number of vertices."},
};

static void term_add(json_t *all, const char *term, const char *title, const char *text)
{
    json_set(all, term, json_pack("[o, o]", json_text(title), json_text(text)));
}

json_t *glossary_json(void)
{
    json_t *all = json_object();
    for (int i = 0; i < skinning_entry_count(); i++) {
        const SkinningMethod *method = skinning_entry_at(i)->method;
        term_add(all, method->name, method->title, method->summary ? method->summary : method->citation);
    }
    for (int i = 0; i < decomposition_method_count(); i++) {
        const DecompositionMethod *method = decomposition_method_at(i);
        term_add(all, method->name, method->title, method->summary ? method->summary : method->citation);
    }
    for (int i = 0; i < ADVICE_MEASURES; i++)
        term_add(all, advice_measures[i].title, advice_measures[i].title, advice_measures[i].meaning);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        term_add(all, headings[i].term, headings[i].title, headings[i].text);
    return all;
}
