# Adapts the folder that CPack is about to pack to Debian's rules: compressed manual pages, the licence in a file named `copyright`,
# a changelog, and Debian's folder for zsh.
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${share}/doc/${CPACK_PACKAGE_NAME})
file(RENAME ${doc}/LICENSE ${doc}/copyright)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=low

  * Built from the sources; their history is in git.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND gzip -9n ${doc}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
