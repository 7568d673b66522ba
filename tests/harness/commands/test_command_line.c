/* Tests the command line: which arguments reach a command, and which exit code and message follow each
 * error. */
#include "tests/support.h"

#include "harness/commands/command_line.h"

/* The arguments that the test's own command received in its last run. */
static struct {
    int runs, count, threads;
    double share;
    bool flag, json;
    char output[32], argument[32], repeated[3][32];
} seen;

static void text_copy(char out[32], const char *text)
{
    snprintf(out, 32, "%s", text ? text : "-");
}

static Status probe_run(const CommandLine *line)
{
    static const Parameter rows[2] = {{"weight", "", PARAMETER_REAL, 0.5, 0.0, 1.0, NULL}};
    const char *output = NULL;
    ParameterValues values;
    seen.runs++;
    STATUS_TRY(command_line_required(line, "output", &output));
    STATUS_TRY(command_line_integer(line, "count", 7, 1, 9, &seen.count));
    STATUS_TRY(command_line_real(line, "share", 0.5, 0.0, 1.0, &seen.share));
    STATUS_TRY(command_line_parameters(line, rows, "probe", &values));
    seen.flag = command_line_flag(line, "flag");
    seen.json = line->json;
    seen.threads = line->threads;
    text_copy(seen.output, output);
    text_copy(seen.argument, command_line_argument(line, 1));
    for (int i = 0; i < 3; i++)
        text_copy(seen.repeated[i], command_line_value_at(line, "set", i));
    if (values.values[0] == 1.0)
        return status_make(STATUS_CHECK_FAILED, "the weight is 1");
    return status_ok();
}

static const CommandOption options[] = {{"output", "FILE", "where to"},
                                        {"count", "N", "how many"},
                                        {"share", "S", "how much"},
                                        {"flag", NULL, "whether"},
                                        {NULL, NULL, NULL}};
static const Command commands[] = {{.name = "probe",
                                    .synopsis = "FILE [FILE] -o OUT",
                                    .summary = "a verb for this test",
                                    .options = options,
                                    .arguments_min = 1,
                                    .arguments_max = 2,
                                    .takes = TAKES_THREADS | TAKES_SET,
                                    .run = probe_run},
                                   {.name = NULL}};

/* Runs `skinbench WORDS` and copies its stderr to message [512]. Returns the exit code. */
static int run(const char *words, char message[512])
{
    char *argv[32] = {(char[]){"skinbench"}};
    int argc = 1;
    for (char *rest = text_of("%s", words), *word; (word = strtok_r(rest, " ", &rest)) != NULL;)
        argv[argc++] = word;
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    memset(&seen, 0, sizeof seen);
    int code = command_line_main(commands, argc, argv);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    message[fread(message, 1, 511, file)] = '\0';
    fclose(file);
    return code;
}

TEST(options_reach_the_verb)
{
    char message[512];
    assert_int_equal(run("probe --count 3 in --flag -o out --share=0.125 other --json --threads 2 --set "
                         "weight=0 --set weight=0.25",
                         message),
                     0);
    assert_string_equal(message, "");
    assert_int_equal(seen.runs, 1);
    assert_int_equal(seen.count, 3);
    assert_true(seen.share == 0.125 && seen.flag && seen.json);
    assert_int_equal(seen.threads, 2);
    assert_string_equal(seen.output, "out");
    assert_string_equal(seen.argument, "other");
    assert_string_equal(seen.repeated[0], "weight=0");
    assert_string_equal(seen.repeated[1], "weight=0.25");
    assert_string_equal(seen.repeated[2], "-");
    assert_int_equal(run("probe in --output first -o last", message), 0);
    assert_string_equal(seen.output, "last");
    assert_string_equal(seen.argument, "-");
    assert_int_equal(seen.count, 7);
    assert_true(seen.threads >= 1 && !seen.flag && !seen.json);
    assert_int_equal(run("probe -o out -- --flag", message), 0);
    assert_false(seen.flag);
}

TEST(mistakes_are_named)
{
    static const struct {
        const char *words, *message;
        int code, runs;
    } cases[] = {{"", "usage: skinbench COMMAND", 2, 0},
                 {"prob", "no command 'prob'", 2, 0},
                 {"probe", "usage: skinbench probe FILE [FILE] -o OUT", 2, 0},
                 {"probe a b c -o out", "usage: skinbench probe", 2, 0},
                 {"probe a --colour red", "no option '--colour'", 2, 0},
                 {"probe a -x", "no option '-x'", 2, 0},
                 {"probe a -xyz", "no option '-xyz'", 2, 0},
                 {"probe a -o", "-o needs a value", 2, 0},
                 {"probe a --count", "--count needs a value", 2, 0},
                 {"probe a --threads 0", "--threads is '0', expected a number from 1 to 1024", 2, 0},
                 {"probe a --memory-limit 12", "--memory-limit is '12', expected 1M or more", 2, 0},
                 {"probe a --memory-limit 4GB", "--memory-limit is '4GB', expected 1M or more", 2, 0},
                 {"probe a --memory-limit nan", "--memory-limit is 'nan', expected 1M or more", 2, 0},
                 {"probe a --memory-limit 1e999", "--memory-limit is '1e999', expected 1M or more", 2, 0},
                 {"probe a --memory-limit -4G", "--memory-limit is '-4G', expected 1M or more", 2, 0},
                 {"probe a", "--output is missing; usage: skinbench probe", 2, 1},
                 {"probe a -o out --count 10", "--count is '10', expected a number from 1 to 9", 2, 1},
                 {"probe a -o out --count 2.5", "--count is '2.5', expected a whole number", 2, 1},
                 {"probe a -o out --share 0.5x", "--share is '0.5x', expected a number", 2, 1},
                 {"probe a -o out --share nan", "--share is 'nan', expected a number", 2, 1},
                 {"probe a -o out --set weight=2", "probe: weight is 2, expected 0 to 1", 2, 1},
                 {"probe a -o out --set weight=1", "skinbench probe: the weight is 1", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[512];
        assert_int_equal(run(cases[i].words, message), cases[i].code);
        assert_int_equal(seen.runs, cases[i].runs);
        if (i > 0 && !strstr(message, cases[i].message)) /* without a command, the help goes to stdout */
            fail_msg("'%s': '%s' does not say '%s'", cases[i].words, message, cases[i].message);
    }
}

TEST(memory_limit_is_set)
{
    char message[512];
    assert_int_equal(run("probe a -o out --memory-limit 1.5G", message), 0);
    assert_int_equal(memory_limit(), (size_t)3 << 29);
    assert_int_equal(run("probe a -o out --memory-limit 2097152", message), 0);
    assert_int_equal(memory_limit(), 2 << 20);
    assert_int_equal(run("probe a -o out", message), 0);
    assert_int_equal(memory_limit(), 0);
}

TEST(help_is_no_mistake)
{
    char message[512];
    assert_int_equal(run("--help", message), 0);
    assert_int_equal(run("help", message), 0);
    assert_int_equal(run("probe --help", message), 0);
    assert_int_equal(run("probe -h", message), 0);
    assert_int_equal(seen.runs, 0);
    assert_string_equal(message, "");
}
