/* The command line of `skinbench`: commands and their options are rows of const tables. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/formats/formats.h"
#include "datasets/io/json_table.h"
#include "harness/run/ranks/launch.h"

enum { OPTION_VALUES_MAX = 32 };

/* The shared options that a command has use for, besides those that every command has. */
enum { TAKES_THREADS = 1, TAKES_SET = 2 };
/* Prints nothing of its own: with --json its output's path. Prints for one reader, without --json. */
enum { PRINTS_OUTPUT = 8, PRINTS_TEXT = 16 };
/* Shared by the processes that a launcher starts together (harness/run/ranks/launch.h). */
enum { TAKES_RANKS = 4 };
/* Its output may be a file that it reads, because it adds to what is there. For all others that is refused.
 */
enum { UPDATES_OUTPUT = 32 };

typedef struct CommandOption {
    const char *name; /* without the dashes; -o is the short form of "output" in every command that has it */
    /* What it takes, for the help; NULL: a flag. For --output, FILE is a data set file, a name with an ending
     * a file that ends so, and OUT and FOLDER are checked by the command. */
    const char *argument;
    const char *meaning;
} CommandOption;

typedef struct CommandLine CommandLine;
typedef Status CommandRun(const CommandLine *line);

typedef struct Command {
    const char *name;                 /* "import", "weights prune" is the command "weights" */
    const char *synopsis;             /* what follows the command */
    const char *summary;              /* one line */
    const CommandOption *options;     /* closed by a row of NULLs; NULL: none of its own */
    int arguments_min, arguments_max; /* arguments_max -1: any number */
    unsigned takes; /* TAKES_...; of another command --threads and --set are unknown options */
    CommandRun *run;
} Command;

enum { OPTIONS_MAX = 48 };

/* What was given, which commands read. */
struct CommandLine {
    const Command *commands;      /* all of them, closed by a row of NULLs */
    const Command *command;       /* this one */
    const char *const *arguments; /* [argument_count], after the command */
    int argument_count;
    bool json;         /* --json */
    int threads;       /* --threads; default: the cores this process may use */
    Progress progress; /* a bar on stderr if that is a terminal and --quiet is not given; false on SIGINT */
    Launch launch;     /* launch.ranks: the processes that share the work of a command that TAKES_RANKS */
    /* of command_line.c */
    const CommandOption *rows[OPTIONS_MAX];
    int row_count;
    int given_row[OPTION_VALUES_MAX];           /* which row each given option belongs to, in order */
    const char *given_value[OPTION_VALUES_MAX]; /* its value, "" for a flag */
    int given_count;
    int bar_shown;      /* per mille drawn last, -1: nothing drawn */
    double bar_drawn_s; /* when */
    bool bar_wanted;
};

/* NULL: there is no command of this name. */
const Command *command_find(const Command *commands, const char *name);

/* The options of a command in the order of its help: its own, then those that it shares with others. NULL
 * past the last. */
const CommandOption *command_option_at(const Command *command, int index);

/* "-o, --output FILE": as the help has an option. */
void command_option_format(const CommandOption *option, char *text, size_t size);

/* Exit codes as rows, a code and its meaning, closed by a row of NULLs. */
extern const CommandOption command_exit_codes[];

/* What this program is, in a line. */
extern const char command_program_summary[];

/* Runs the command named in argv; prints help and messages (stderr). Returns the exit code. */
int command_line_main(const Command *commands, int argc, char **argv);

/* NULL past the last. */
const char *command_line_argument(const CommandLine *line, int index);

/* Options: the value (last one given), whether a flag was given, the n-th value of a repeated option (NULL
 * past the last). An option that is not in the tables is a mistake of ours and fails an assertion. */
const char *command_line_value(const CommandLine *line, const char *name);
bool command_line_flag(const CommandLine *line, const char *name);
const char *command_line_value_at(const CommandLine *line, const char *name, int index);

/* Numbers with a default and bounds (inclusive); STATUS_USAGE names the option and what is allowed. */
Status command_line_integer(const CommandLine *line, const char *name, int fallback, int minimum, int maximum,
                            int *value);
Status command_line_real(const CommandLine *line, const char *name, double fallback, double minimum,
                         double maximum, double *value);

/* Bytes of a size such as 512M: a number of bytes, or of KB, MB, GB or TB of 1024, 1M or more; 0 where it is
 * not given. */
Status command_line_size(const CommandLine *line, const char *name, size_t *bytes);

/* Applies every --set name=value to the rows of a method. */
Status command_line_parameters(const CommandLine *line, const Parameter *rows, const char *owner,
                               ParameterValues *values);

/* STATUS_USAGE when a needed option is missing. */
Status command_line_required(const CommandLine *line, const char *name, const char **value);

/* --output of a command that writes a file, needed and checked (atomic_path.h) before the command's work:
 * STATUS_BAD_INPUT for a path where no file can be written. */
Status command_line_output(const CommandLine *line, const char **path);

/* Prints the object as one line of ASCII and releases it. NULL: out of memory. */
Status output_json(json_t *object);

/* That line without printing it, for a command that writes a file in between: memory may be out here, and no
 * later. Release with free; NULL on failure. */
Status output_json_line(json_t *object, char **line);

/* A line on stdout that holds names from outside: they are escaped (datasets/base/text.h), and it stays one
 * line. */
void output_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A note on stderr, escaped in the same way, unless --quiet. */
void output_note(const CommandLine *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a callback: `line` is the const CommandLine. */
void output_note_text(void *line, const char *text);
