# Writes OUTPUT, a header that names the commit the sources stand at. Run on every build; the file is touched only
# when it changes, so that nothing is compiled again for the same commit. Works where there is no git: "unknown"; and
# where the sources are another user's, whom whoever builds them trusts.
find_program(GIT git)
file(REAL_PATH ${SOURCE} SOURCE)
set(commit "unknown")
set(dirty 0)
if(GIT)
    execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE} rev-parse HEAD WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE answer RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
        set(commit ${answer})
        execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE} status --porcelain --untracked-files=no
                        WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE changes ERROR_QUIET)
        if(NOT changes STREQUAL "")
            set(dirty 1)
        endif()
    endif()
endif()
set(text "/* Written by the build: harness/environment/commit.cmake. */\n#define SKINBENCH_COMMIT \"${commit}\"\n#define SKINBENCH_DIRTY ${dirty}\n")
set(before "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
    file(WRITE ${OUTPUT} "${text}")
endif()
