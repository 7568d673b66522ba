/* Reads processor quotas from control group files, and cache sizes from sysfs. The files have the layouts
 * found on real systems and in containers. */
#include "harness/measure/environment/processors.h"
#include "tests/support.h"

#include <sys/stat.h>

static const char *root;

/* Writes a file below the test's root folder, and creates its parent folders. */
static void file_put(const char *path, const char *text)
{
    char *whole = text_of("%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(whole, 0777);
        *slash = '/';
    }
    text_write(whole, text);
}

TEST(test_version_2)
{
    root = test_folder();
    assert_true(isnan(processors_quota(root))); /* no file exists */
    file_put("/proc/self/cgroup", "0::/user.slice/job\n");
    file_put("/sys/fs/cgroup/user.slice/job/cpu.max", "max 100000\n");
    assert_true(isnan(processors_quota(root)));
    file_put("/sys/fs/cgroup/user.slice/cpu.max",
             "250000 100000\n"); /* the parent group has a smaller quota */
    assert_float_equal(processors_quota(root), 2.5, 0.0);
    file_put("/sys/fs/cgroup/user.slice/job/cpu.max", "75000 50000\n");
    assert_float_equal(processors_quota(root), 1.5, 0.0);
    file_put("/sys/fs/cgroup/cpu.max", "40000 100000\n"); /* a container sees its own group as the root */
    assert_float_equal(processors_quota(root), 0.4, 1e-15);
    file_put("/sys/fs/cgroup/cpu.max", "nonsense\n");
    assert_float_equal(processors_quota(root), 1.5, 0.0);
}

TEST(test_version_1)
{
    root = test_folder();
    file_put("/proc/self/cgroup", "11:cpuset:/job\n4:cpuacct,cpu:/job\n1:name=systemd:/job\n0::/job\n");
    file_put("/sys/fs/cgroup/cpuset/cpu.cfs_quota_us",
             "1\n"); /* ignored: the processor quota is not in the cpuset group */
    file_put("/sys/fs/cgroup/cpuset/cpu.cfs_period_us", "100000\n");
    file_put("/sys/fs/cgroup/cpuacct,cpu/job/cpu.cfs_quota_us", "-1\n");
    file_put("/sys/fs/cgroup/cpuacct,cpu/job/cpu.cfs_period_us", "100000\n");
    assert_true(isnan(processors_quota(root)));
    file_put("/sys/fs/cgroup/cpuacct,cpu/cpu.cfs_quota_us", "300000\n");
    file_put("/sys/fs/cgroup/cpuacct,cpu/cpu.cfs_period_us", "100000\n");
    assert_float_equal(processors_quota(root), 3.0, 0.0);
    file_put("/sys/fs/cgroup/cpuacct,cpu/job/cpu.cfs_quota_us", "10000\n");
    assert_float_equal(processors_quota(root), 0.1, 1e-15);
    /* A quota of a tenth of a processor still allows one thread, and the quota is named as the source of
     * this number. */
    unsetenv("OMP_NUM_THREADS");
    const Processors processors = processors_usable(root);
    assert_int_equal(processors.usable, 1);
    if (processors.affinity > 1)
        assert_string_equal(processors.source, "quota");
}

TEST(test_user)
{
    setenv("OMP_NUM_THREADS", "7,2", 1);
    const Processors processors = processors_usable("/nonexistent");
    assert_int_equal(processors.usable, 7);
    assert_string_equal(processors.source, "OMP_NUM_THREADS");
    setenv("OMP_NUM_THREADS", "none", 1);
    assert_int_equal(processors_usable("/nonexistent").usable, processors.affinity);
    assert_true(processors.affinity >= 1 && processors.machine >= 1);
}

static void cache_put(int processor, int index, const char *level, const char *type, const char *size,
                      const char *shared)
{
    const char *const names[] = {"level", "type", "size", "shared_cpu_list"};
    const char *const texts[] = {level, type, size, shared};
    for (int i = 0; i < 4; i++)
        file_put(text_of("/sys/devices/system/cpu/cpu%d/cache/index%d/%s", processor, index, names[i]),
                 texts[i]);
}

TEST(test_caches)
{
    root = test_folder();
    assert_int_equal(cache_bytes(root, 3), 0); /* no file */
    assert_int_equal(cache_bytes_everywhere(root, 3), 0);
    /* The machine has two third-level caches, each shared by three processors. */
    for (int processor = 0; processor < 6; processor++) {
        cache_put(processor, 0, "1\n", "Instruction\n", "64K\n", "0\n");
        cache_put(processor, 1, "1\n", "Data\n", "32K\n", processor == 2 ? "2\n" : "9\n");
        cache_put(processor, 2, "3\n", "Unified\n", "32768K\n", processor < 3 ? "0-2\n" : "3-5\n");
    }
    assert_int_equal(cache_bytes(root, 1), 32 << 10);
    assert_int_equal(cache_bytes_everywhere(root, 1), 32 << 10);
    assert_int_equal(cache_bytes(root, 2), 0);
    assert_int_equal(cache_bytes(root, 3), 32 << 20);
    assert_int_equal(cache_bytes_everywhere(root, 3), 64 << 20);
    for (int level = 1; level <= 3; level++) { /* tests the real values of this machine */
        const size_t everywhere = cache_bytes_everywhere("", level);
        assert_true(everywhere == 0 || everywhere >= cache_bytes("", level));
    }
}
