/* The command line of `skinbench`. Commands and their options are rows of constant tables. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/formats/formats.h"
#include "datasets/io/json_table.h"
#include "harness/run/ranks/launch.h"
#include "harness/show/text/targets.h"

enum { OPTION_VALUES_MAX = 32 };

/* Bits for the shared options that only some commands have: --threads and --set. */
enum { TAKES_THREADS = 1, TAKES_SET = 2 };
/* Bits for what a command prints. A command with PRINTS_OUTPUT prints nothing or, with --json, the path of
 * its output. A command with PRINTS_TEXT has no --json, because its text has a fixed format. */
enum { PRINTS_OUTPUT = 8, PRINTS_TEXT = 16 };
/* Bit for a command whose work several processes can share (harness/run/ranks/launch.h). */
enum { TAKES_RANKS = 4 };
/* Bit for a command that adds to its output. The output may then be one of the files that the command
 * reads; all other commands refuse this. */
enum { UPDATES_OUTPUT = 32 };

typedef struct CommandOption {
    const char *name; /* name without dashes; -o abbreviates "output" in every command that has this option */
    /* Placeholder for the option's value in the help, such as FILE; NULL for a flag. The placeholder of
     * --output says what the output is. FILE is a data set file. A name with an extension requires this
     * extension. OUT and FOLDER are checked by the command itself. */
    const char *argument;
    const char *meaning;
} CommandOption;

typedef struct CommandLine CommandLine;
typedef Status CommandRun(const CommandLine *line);

typedef struct Command {
    const char *name;     /* name, such as "import"; "weights prune" is an action of the command "weights" */
    const char *synopsis; /* description of the arguments, which the help shows after the name */
    const char *summary;  /* one line */
    const CommandOption
        *options; /* option rows, ended by a row of NULLs; NULL if the command has no options of its own */
    int arguments_min,
        arguments_max; /* smallest and largest number of arguments; a largest number of -1 means no limit */
    unsigned takes; /* bits of the enums above; without TAKES_THREADS or TAKES_SET, --threads or --set is an
                       unknown option */
    CommandRun *run;
} Command;

enum { OPTIONS_MAX = 48 };

/* Parsed command line, which each command receives. */
struct CommandLine {
    const Command *commands;      /* all commands; the last row has only NULLs */
    const Command *command;       /* the command to run */
    const char *const *arguments; /* [argument_count] arguments after the command */
    int argument_count;
    bool json;         /* --json */
    int threads;       /* --threads; by default the number of cores available to this process */
    Progress progress; /* draws a bar if stderr is a terminal and --quiet is not given; returns false after
                          SIGINT */
    Launch launch;     /* launch.ranks: the processes that share the work of a command with TAKES_RANKS */
    /* used only by command_line.c */
    const CommandOption *rows[OPTIONS_MAX];
    int row_count;
    int given_row[OPTION_VALUES_MAX];           /* option row of each option given, in order */
    const char *given_value[OPTION_VALUES_MAX]; /* value of each option given; "" for a flag */
    int given_count;
    int bar_shown;      /* progress that the bar shows, in thousandths; -1 if no bar has been drawn */
    double bar_drawn_s; /* time at which the bar was last drawn */
    double bar_begun_s, bar_begun_share, bar_share; /* when and where the current work began, and its share */
    bool bar_wanted;
};

/* Returns the command of this name, or NULL. */
const Command *command_find(const Command *commands, const char *name);

/* Returns option number `index` of a command, in the order of the command's help, or NULL past the last
 * option. The command's own options come first, then the options that all commands share. */
const CommandOption *command_option_at(const Command *command, int index);

/* Writes an option as the help shows it: "-o, --output FILE". */
void command_option_format(const CommandOption *option, char *text, size_t size);

/* Exit codes and their meanings; the last row has only NULLs. */
extern const CommandOption command_exit_codes[];

/* One-line summary of this program. */
extern const char command_program_summary[];

/* Runs the command named in argv, prints help to stdout and messages to stderr, and returns the exit
 * code. */
int command_line_main(const Command *commands, int argc, char **argv);

/* Returns an argument, or NULL past the last. */
const char *command_line_argument(const CommandLine *line, int index);

/* The first function returns the last value given for an option. The second returns whether a flag was
 * given. The third returns value number `index` of a repeated option, or NULL past the last. An assertion
 * fails if the command has no option of this name. */
const char *command_line_value(const CommandLine *line, const char *name);
bool command_line_flag(const CommandLine *line, const char *name);
const char *command_line_value_at(const CommandLine *line, const char *name, int index);

/* Read the number given for an option, or return the default if the option is absent. A number outside the
 * inclusive bounds fails with STATUS_USAGE; the message names the option and the bounds. */
Status command_line_integer(const CommandLine *line, const char *name, int fallback, int minimum, int maximum,
                            int *value);
Status command_line_whole(const CommandLine *line, const char *name, double fallback, double minimum,
                          double maximum, double *value);
Status command_line_real(const CommandLine *line, const char *name, double fallback, double minimum,
                         double maximum, double *value);

/* Reads a size of at least 1M, such as 512M, into *bytes; 0 if the option is not given. The units KB, MB,
 * GB and TB are powers of 1024. */
Status command_line_size(const CommandLine *line, const char *name, size_t *bytes);

/* Applies every --set name=value to the parameters of a method. */
Status command_line_parameters(const CommandLine *line, const Parameter *rows, const char *owner,
                               ParameterValues *values);

/* Gets the value of a required option. Fails with STATUS_USAGE if it is missing. */
Status command_line_required(const CommandLine *line, const char *name, const char **value);

/* Gets the required --output of a command that writes a file. If no file can be written there
 * (atomic_path.h), fails with STATUS_BAD_INPUT before the command does any work. */
Status command_line_output(const CommandLine *line, const char **path);

/* Prints an object as one line of ASCII and releases it. A NULL `object` means that memory ran out, and
 * fails as such. */
Status output_json(json_t *object);

/* Makes the line that output_json prints. A command calls this before it writes its file, so that it fails
 * early if memory is short. Release with free; NULL on failure. */
Status output_json_line(json_t *object, char **line);

/* Prints a note to stderr unless --quiet is given. Control characters in names from outside are escaped
 * (datasets/base/text.h), so that the text stays on one line. */
void output_note(const CommandLine *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Callback that prints a note; `line` points to the const CommandLine. */
void output_note_text(void *line, const char *text);
