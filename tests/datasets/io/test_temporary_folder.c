/* Tests temporary folders. A folder stays while its owner lives, and is removed when the owner is dead. */
#include "tests/support.h"

#include "datasets/io/temporary_folder.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void file_put(const char *folder, const char *name)
{
    text_write(text_of("%s/%s", folder, name), "");
}

/* Starts a child that makes a folder with files in `parent` and reports its name. Once `go` is closed, the
 * child is killed. */
static pid_t owner_start(const char *parent, int go[2])
{
    int ready[2] = {-1, -1};
    char byte = 0;
    assert_true(pipe(go) == 0 && pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        TemporaryFolder *folder = NULL;
        close(go[1]);
        if (temporary_folder_make(parent, parent, &folder).code != STATUS_OK)
            _exit(1);
        const char *inside = text_of("%s/sub", temporary_folder_path(folder));
        (void)mkdir(inside, 0777);
        file_put(inside, "half");
        if (write(ready[1], "r", 1) != 1 || read(go[0], &byte, 1) != 0)
            _exit(1);
        raise(SIGKILL);
    }
    close(go[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void left_count(void *context, const char *path)
{
    assert_int_equal(access(path, F_OK), 0);
    ++*(int *)context;
}

TEST(the_next_process_removes_what_is_dead)
{
    int left = 0;
    TemporaryFolder *own = NULL;
    int go[2], how = 0;
    const char *kept = path_of(".skinbench-notours");
    assert_int_equal(mkdir(kept, 0777), 0); /* the name has one letter too many for a temporary folder */
    pid_t child = owner_start(path_of(""), go);
    assert_ok(temporary_folder_make(path_of(""), path_of(""), &own));
    assert_int_equal(files_in(path_of("")), 3); /* the child's folder stays while the child lives */
    close(go[1]);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_int_equal(files_in(path_of("")), 3);
    temporary_folders_left(path_of(""), left_count, &left);
    assert_int_equal(left, 1); /* the folder is reported, but not removed */
    temporary_folders_sweep(path_of(""));
    assert_int_equal(files_in(path_of("")), 2);
    assert_int_equal(access(temporary_folder_path(own), F_OK), 0);
    temporary_folder_remove(own);
    assert_int_equal(rmdir(kept), 0);
    assert_int_equal(files_in(path_of("")), 0);
}

/* A link with the name of a temporary folder is not followed, and a file is not treated as a folder. */
TEST(only_folders_are_removed)
{
    const char *folder = path_of(""), *target = path_of("precious");
    assert_int_equal(mkdir(target, 0777), 0);
    file_put(target, "file");
    assert_int_equal(symlink(target, path_of(".skinbench-abcdef")), 0);
    text_write(".skinbench-ghijkl", "");
    temporary_folders_sweep(folder);
    assert_int_equal(files_in(folder), 3);
    assert_int_equal(files_in(target), 1);
}

/* Many processes make and remove temporary folders in one place. Each process finds its own folder
 * complete, and nothing is left at the end. */
TEST(processes_do_not_disturb_each_other)
{
    enum { PROCESSES = 4, TIMES = 100 };
    pid_t children[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        for (int i = 0; children[p] == 0 && i < TIMES; i++) {
            TemporaryFolder *own = NULL;
            if (temporary_folder_make(path_of(""), path_of(""), &own).code != STATUS_OK)
                _exit(1);
            file_put(temporary_folder_path(own), "file");
            if (access(text_of("%s/file", temporary_folder_path(own)), F_OK) != 0)
                _exit(2);
            temporary_folder_remove(own);
        }
        if (children[p] == 0)
            _exit(0);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int how = 0;
        assert_int_equal(waitpid(children[p], &how, 0), children[p]);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    assert_int_equal(files_in(path_of("")), 0);
}

/* A process that ends without returning removes its own folders, but not those of its parent. */
TEST(a_process_removes_its_own)
{
    TemporaryFolder *own = NULL;
    int how = 0;
    assert_ok(temporary_folder_make(path_of(""), path_of(""), &own));
    pid_t child = fork();
    if (child == 0) {
        TemporaryFolder *more[2] = {NULL};
        for (int i = 0; i < 2; i++)
            if (temporary_folder_make(path_of(""), path_of(""), &more[i]).code != STATUS_OK)
                _exit(1);
        file_put(temporary_folder_path(more[1]), "half");
        temporary_folders_remove_all();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    assert_int_equal(files_in(path_of("")), 1);
    temporary_folder_remove(own);
    assert_refused(STATUS_BAD_INPUT, "out.h5: cannot be written",
                   temporary_folder_make("/nowhere", "out.h5", &own));
    assert_int_equal(files_in(path_of("")), 0);
}

/* Removing a deep folder needs only two descriptors, one of them for the lock. */
TEST(folders_within_folders_go_where_descriptors_are_few)
{
    const char *place = path_of("");
    TemporaryFolder *folder = NULL;
    struct rlimit usual;
    char path[200];
    assert_ok(temporary_folder_make(place, place, &folder));
    snprintf(path, sizeof path, "%s", temporary_folder_path(folder));
    for (int depth = 0; depth < 5; depth++) {
        file_put(path, "file");
        snprintf(path + strlen(path), sizeof path - strlen(path), "/%d", depth % 2);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    const int next = dup(STDOUT_FILENO);
    close(next);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)next + 1, usual.rlim_max}), 0);
    temporary_folder_remove(folder);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(files_in(place), 0);
}
