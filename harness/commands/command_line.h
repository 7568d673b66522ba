/* The command line of `skinbench`. Commands and their options are rows of constant tables. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/formats/formats.h"
#include "datasets/io/json_table.h"
#include "harness/run/ranks/launch.h"

enum { OPTION_VALUES_MAX = 32 };

/* Shared options that a command uses, besides those that every command has. */
enum { TAKES_THREADS = 1, TAKES_SET = 2 };
/* PRINTS_OUTPUT: prints nothing except, with --json, the path of its output. PRINTS_TEXT: prints for a
 * single reader and has no --json. */
enum { PRINTS_OUTPUT = 8, PRINTS_TEXT = 16 };
/* The work can be shared by the processes of a launcher (harness/run/ranks/launch.h). */
enum { TAKES_RANKS = 4 };
/* The output may be one of the files read, because the command adds to it. All other commands refuse
 * that. */
enum { UPDATES_OUTPUT = 32 };

typedef struct CommandOption {
    const char *name; /* without dashes; -o is short for "output" in every command that has it */
    /* Placeholder of the value for the help; NULL for a flag. For --output, FILE means a data set file and
     * a name with an extension a file of that type. OUT and FOLDER are checked by the command. */
    const char *argument;
    const char *meaning;
} CommandOption;

typedef struct CommandLine CommandLine;
typedef Status CommandRun(const CommandLine *line);

typedef struct Command {
    const char *name;                 /* such as "import"; "weights prune" is run by the command "weights" */
    const char *synopsis;             /* arguments after the command */
    const char *summary;              /* one line */
    const CommandOption *options;     /* ends with a row of NULLs; NULL if there are none */
    int arguments_min, arguments_max; /* arguments_max -1: no limit */
    unsigned takes; /* TAKES_... bits; without them --threads and --set are unknown options */
    CommandRun *run;
} Command;

enum { OPTIONS_MAX = 48 };

/* The parsed command line, which commands read. */
struct CommandLine {
    const Command *commands;      /* all commands, ended by a row of NULLs */
    const Command *command;       /* the command to run */
    const char *const *arguments; /* [argument_count] those after the command */
    int argument_count;
    bool json;         /* --json */
    int threads;       /* --threads; default: the cores available to this process */
    Progress progress; /* draws a bar on stderr, if that is a terminal, unless --quiet; returns false after
                          SIGINT */
    Launch launch;     /* launch.ranks: the processes that share the work of a TAKES_RANKS command */
    /* used only by command_line.c */
    const CommandOption *rows[OPTIONS_MAX];
    int row_count;
    int given_row[OPTION_VALUES_MAX];           /* option row of each given option, in order */
    const char *given_value[OPTION_VALUES_MAX]; /* value of each given option; "" for a flag */
    int given_count;
    int bar_shown;      /* per mille last drawn; -1: nothing drawn */
    double bar_drawn_s; /* time of the last drawing */
    bool bar_wanted;
};

/* Returns NULL if no command has this name. */
const Command *command_find(const Command *commands, const char *name);

/* The options of a command in the order of its help: first its own, then the shared ones. Returns NULL past
 * the last. */
const CommandOption *command_option_at(const Command *command, int index);

/* Writes an option as the help shows it: "-o, --output FILE". */
void command_option_format(const CommandOption *option, char *text, size_t size);

/* Exit codes and their meanings, ended by a row of NULLs. */
extern const CommandOption command_exit_codes[];

/* One-line summary of this program. */
extern const char command_program_summary[];

/* Runs the command named in argv, prints help and messages (to stderr), and returns the exit code. */
int command_line_main(const Command *commands, int argc, char **argv);

/* Returns NULL past the last argument. */
const char *command_line_argument(const CommandLine *line, int index);

/* The value of an option (the last one given), whether a flag was given, and value number `index` of a
 * repeated option (NULL past the last). The name must be in the tables; otherwise an assertion fails. */
const char *command_line_value(const CommandLine *line, const char *name);
bool command_line_flag(const CommandLine *line, const char *name);
const char *command_line_value_at(const CommandLine *line, const char *name, int index);

/* Numbers with a default and inclusive bounds. The message of STATUS_USAGE names the option and the
 * bounds. */
Status command_line_integer(const CommandLine *line, const char *name, int fallback, int minimum, int maximum,
                            int *value);
Status command_line_real(const CommandLine *line, const char *name, double fallback, double minimum,
                         double maximum, double *value);

/* Reads a size of at least 1M, such as 512M, in bytes. The units KB, MB, GB and TB are powers of 1024.
 * *bytes is 0 if the option is not given. */
Status command_line_size(const CommandLine *line, const char *name, size_t *bytes);

/* Applies every --set name=value to the parameters of a method. */
Status command_line_parameters(const CommandLine *line, const Parameter *rows, const char *owner,
                               ParameterValues *values);

/* Returns STATUS_USAGE if the required option is missing. */
Status command_line_required(const CommandLine *line, const char *name, const char **value);

/* The required --output of a command that writes a file. The path is checked before the work
 * (atomic_path.h): STATUS_BAD_INPUT if no file can be written there. */
Status command_line_output(const CommandLine *line, const char **path);

/* Prints the object as one line of ASCII and releases it. NULL stands for out of memory. */
Status output_json(json_t *object);

/* Makes that line without printing it. A command calls this before it writes its file, so that lack of
 * memory shows before and not after. Release with free; NULL on failure. */
Status output_json_line(json_t *object, char **line);

/* Prints one line to stdout. Control characters in names from outside are escaped (datasets/base/text.h),
 * so it stays one line. */
void output_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a note to stderr, escaped in the same way, unless --quiet is given. */
void output_note(const CommandLine *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A callback for notes; `line` points to the const CommandLine. */
void output_note_text(void *line, const char *text);
