/* Measures the time that other work took, from the scheduler's statistics of each thread, or from the
 * clocks of a single thread. */
#include "harness/measure/timing/disturbance.h"

#include <dirent.h>
#include <unistd.h>

/* A sample counts as disturbed if it lost at least this fraction of its time. A context switch and back
 * costs only a thousandth of a sample, whereas another process that gets a time slice takes as long as the
 * whole sample. */
static const double DISTURBED_SHARE = 0.1;

/* Returns the number at index `place` in the first line of a file; 0 if there is none. */
static double number_at(const char *path, int place)
{
    char line[512] = "", *rest = line;
    double number = 0.0;
    FILE *file = fopen(path, "r");
    if (!file)
        return 0.0;
    const bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    rest += strspn(line, "cpu"); /* skip the first word of /proc/stat */
    for (int i = 0; i <= place && read; i++) {
        char *end = rest;
        number = strtod(rest, &end);
        if (end == rest)
            return 0.0;
        rest = end;
    }
    return number;
}

static double queued_s(void)
{
    double sum = 0.0;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *thread; threads && (thread = readdir(threads)) != NULL;)
        if (thread->d_name[0] != '.') {
            char path[64];
            snprintf(path, sizeof path, "/proc/self/task/%.20s/schedstat", thread->d_name);
            sum += 1e-9 * number_at(path, 1);
        }
    if (threads)
        closedir(threads);
    return sum;
}

/* Returns the stolen time of all processors together, the eighth number in the first line of /proc/stat. */
static double stolen_s(void)
{
    return number_at("/proc/stat", 7) / (double)sysconf(_SC_CLK_TCK);
}

double time_stolen_s(bool alone)
{
    return alone ? clock_now_s() - clock_thread_s() : queued_s() + stolen_s();
}

bool sample_is_disturbed(double stolen_s, double wall_s)
{
    return stolen_s > DISTURBED_SHARE * wall_s;
}

bool samples_are_disturbed(int disturbed, int samples)
{
    return 4 * disturbed > samples;
}

bool samples_are_scattered(const Statistics *statistics)
{
    return statistics->quartile_high - statistics->quartile_low > 0.5 * statistics->median;
}
