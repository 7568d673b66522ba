/* Fuzzes JSON files that people write. Each input goes to the readers of published tables, claims, suites
 * and the catalogue. */
#include "tests/fuzz/fuzz.h"

#include "datasets/io/catalogue.h"
#include "harness/records/papers/claim.h"
#include "harness/records/papers/published.h"
#include "harness/run/suites/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PublishedTable *table = NULL;
    ClaimSet *claims = NULL;
    Suite suite = {.part_count = 0};
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    const char *path = fuzz_file("a.json", data, size);
    json_t *json = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json) {
        fuzz_status(published_table_from_json(json, "a.json", "a", &table));
        published_table_free(table);
    }
    json = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json) {
        fuzz_status(claim_set_from_json(json, "a.json", "a", &claims));
        claim_set_free(claims);
    }
    fuzz_status(suite_read(path, 1, &suite));
    suite_clear(&suite);
    fuzz_status(catalogue_read(path, &catalogue));
    return 0;
}
