# cmake -DROOT=<source tree> -DKERNEL=<file> -DSYMBOL=<name> -DOUTPUT=<file.c> -P embed_kernel.cmake
# writes <SYMBOL>_kernel_text: the kernel and all it includes as one text, for compilers at run time. Every file is
# taken once (texts put together again: include guards stay); an include is looked for beside the file KERNEL, then in ROOT.
cmake_minimum_required(VERSION 3.22)
get_filename_component(folder ${KERNEL} DIRECTORY)
file(READ ${KERNEL} kernel)
set(text "${kernel}\n")
set(taken "")
while(text MATCHES "#include \"([^\"]+)\"")
    set(path ${CMAKE_MATCH_1})
    set(line "#include \"${path}\"")
    set(content "")
    if(NOT path IN_LIST taken)
        list(APPEND taken ${path})
        if(EXISTS ${folder}/${path})
            file(READ ${folder}/${path} content)
        else()
            file(READ ${ROOT}/${path} content)
        endif()
    endif()
    string(FIND "${text}" "${line}" begin)
    string(LENGTH "${line}" length)
    math(EXPR end "${begin} + ${length}")
    string(SUBSTRING "${text}" 0 ${begin} before)
    string(SUBSTRING "${text}" ${end} -1 after)
    set(text "${before}${content}${after}")
endwhile()
string(HEX "${text}" bytes)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1, " bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Written by embed_kernel.cmake from ${SYMBOL}.kernel.h. */
extern const char ${SYMBOL}_kernel_text[];
const char ${SYMBOL}_kernel_text[] = {${bytes}0};
")
