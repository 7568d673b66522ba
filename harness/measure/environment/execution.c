/* The variables are set, and the program executed once more. */
#include "harness/measure/environment/execution.h"

#include <unistd.h>

enum { PATH_BYTES = 4096 };
static const char settled_name[] = "SKINBENCH_SETTLED"; /* what this program set: names, each after a space */

static bool set_by_program(const char *name)
{
    const char *settled = getenv(settled_name), *at = settled ? strstr(settled, name) : NULL;
    return at && at > settled && at[-1] == ' ' && strchr(" ", at[strlen(name)]) != NULL;
}

/* What is set where the user set none of it: of the standard, of libgomp and of libomp. Who binds threads has
 * said what the machine is for, and a bound thread would be all that the program executed once more sees of
 * it. */
static const struct {
    const char *name, *value;
} wait_settings[] = {
    {"OMP_WAIT_POLICY", "passive"}, {"GOMP_SPINCOUNT", "1000"}, /* as long as a thread takes to sleep and
                                                                   wake: a quiet machine loses nothing */
    {"KMP_BLOCKTIME", "0"},         {"KMP_LIBRARY", NULL},       {"OMP_PROC_BIND", NULL},
    {"OMP_PLACES", NULL},           {"GOMP_CPU_AFFINITY", NULL}, {"KMP_AFFINITY", NULL},
};
enum { WAIT_SETTINGS = sizeof wait_settings / sizeof *wait_settings };

static const char *wait_setting_given(void)
{
    for (int i = 0; i < WAIT_SETTINGS; i++)
        if (getenv(wait_settings[i].name))
            return wait_settings[i].name;
    return NULL;
}

void execution_waiting_format(char text[EXECUTION_TEXT_BYTES])
{
    const char *name = wait_setting_given();
    if (name && set_by_program(name))
        snprintf(text, EXECUTION_TEXT_BYTES, "%.64s, set by this program", getenv(name));
    else if (name)
        snprintf(text, EXECUTION_TEXT_BYTES, "as the user set %s=%.64s", name, getenv(name));
    else
        snprintf(text, EXECUTION_TEXT_BYTES, "default of the OpenMP library");
}

void execution_configure(char **arguments)
{
    char program[PATH_BYTES], set[256] = "";
    size_t length = 0;
    const ssize_t path_length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (getenv(settled_name) || path_length <= 0 || wait_setting_given())
        return;
    program[path_length] = '\0';
    for (int i = 0; i < WAIT_SETTINGS; i++)
        if (wait_settings[i].value && setenv(wait_settings[i].name, wait_settings[i].value, 0) == 0)
            length += (size_t)snprintf(set + length, sizeof set - length, " %s", wait_settings[i].name);
    if (setenv(settled_name, set, 1) == 0)
        execv(program, arguments);
    /* Not executed: what doctor reports must be what holds. */
    unsetenv(settled_name);
    for (char *name = strtok(set, " "); name; name = strtok(NULL, " "))
        unsetenv(name);
}
