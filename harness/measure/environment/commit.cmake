# Writes OUTPUT, a header that names the commit of the sources. This script runs on every build, but writes the file
# only if its contents change, so that nothing is compiled again for the same commit. In an archive made by git,
# commit.txt contains the commit (.gitattributes). Otherwise git is asked, even if the sources belong to another
# user: whoever builds them trusts them. Without git the commit is "unknown". A build is dirty if its sources are not
# those of the commit: files were changed, a folder of sources holds files that git does not know, or methods outside
# the tree are built (EXTRA_METHODS).
find_program(GIT git)
file(REAL_PATH ${SOURCE} SOURCE)
set(commit "unknown")
set(seconds "")
set(time "")
set(date "")
set(dirty 0)
if(EXTRA_METHODS)
    set(dirty 1)
endif()
file(READ ${CMAKE_CURRENT_LIST_DIR}/commit.txt archived)
if(archived MATCHES "^([0-9a-f]+) ([0-9]+)")
    set(commit ${CMAKE_MATCH_1})
    set(seconds ${CMAKE_MATCH_2})
elseif(GIT)
    execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE} show --no-patch "--format=%H %ct" HEAD
                    WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE answer RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed AND answer MATCHES "^([0-9a-f]+) ([0-9]+)")
        set(commit ${CMAKE_MATCH_1})
        set(seconds ${CMAKE_MATCH_2})
        execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE} status --porcelain --untracked-files=no
                        WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE changes ERROR_QUIET)
        execute_process(COMMAND ${GIT} -c safe.directory=${SOURCE} ls-files --others --exclude-standard
                                datasets methods harness
                        WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE unknown ERROR_QUIET)
        if(NOT "${changes}${unknown}" STREQUAL "")
            set(dirty 1)
        endif()
    endif()
endif()
if(NOT seconds STREQUAL "")
    set(ENV{SOURCE_DATE_EPOCH} ${seconds}) # string(TIMESTAMP) uses this time
    string(TIMESTAMP time "%Y-%m-%dT%H:%M:%SZ" UTC)
    string(SUBSTRING ${time} 0 10 date)
endif()
string(CONCAT text "/* Written by the build: harness/measure/environment/commit.cmake. */\n"
                   "#define SKINBENCH_COMMIT \"${commit}\"\n"
                   "#define SKINBENCH_COMMIT_DATE \"${date}\"\n"
                   "#define SKINBENCH_COMMIT_TIME \"${time}\"\n"
                   "#define SKINBENCH_DIRTY ${dirty}\n")
set(before "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
    file(WRITE ${OUTPUT} "${text}")
endif()
