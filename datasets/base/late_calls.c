/* Defines the library functions that are loaded late. Each function jumps to the address in its slot.
 * Initially that is late_enter, which saves the arguments, gets the address of the real function from
 * late_call_find, stores it in the slot and jumps there. A library function that is missing from this list
 * is linked in the usual way, and its library is loaded when the program starts. The test
 * end_to_end_address_space detects this. */
#include "datasets/base/late_library.h"

#ifdef SKINBENCH_LATE

// clang-format off
#if defined __x86_64__
/* late_enter saves the registers that may hold arguments: six integer registers and eight vector registers.
 * It also saves rax, which holds the number of vector registers in a call of a variadic function. */
__asm__(".text\n"
        "late_enter:\n sub $200, %rsp\n"
        " mov %rdi, (%rsp)\n mov %rsi, 8(%rsp)\n mov %rdx, 16(%rsp)\n mov %rcx, 24(%rsp)\n"
        " mov %r8, 32(%rsp)\n mov %r9, 40(%rsp)\n mov %rax, 48(%rsp)\n"
        " movups %xmm0, 64(%rsp)\n movups %xmm1, 80(%rsp)\n movups %xmm2, 96(%rsp)\n movups %xmm3, 112(%rsp)\n"
        " movups %xmm4, 128(%rsp)\n movups %xmm5, 144(%rsp)\n movups %xmm6, 160(%rsp)\n movups %xmm7, 176(%rsp)\n"
        " mov %r11, %rdi\n call late_call_find\n mov %rax, %r11\n"
        " mov (%rsp), %rdi\n mov 8(%rsp), %rsi\n mov 16(%rsp), %rdx\n mov 24(%rsp), %rcx\n"
        " mov 32(%rsp), %r8\n mov 40(%rsp), %r9\n mov 48(%rsp), %rax\n"
        " movups 64(%rsp), %xmm0\n movups 80(%rsp), %xmm1\n movups 96(%rsp), %xmm2\n movups 112(%rsp), %xmm3\n"
        " movups 128(%rsp), %xmm4\n movups 144(%rsp), %xmm5\n movups 160(%rsp), %xmm6\n movups 176(%rsp), %xmm7\n"
        " add $200, %rsp\n jmp *%r11\n");
#define JUMP " jmp *1f(%rip)\n2: lea 1f(%rip), %r11\n jmp late_enter\n"
#elif defined __aarch64__
__asm__(".text\n"
        "late_enter:\n stp x29, x30, [sp, #-224]!\n mov x29, sp\n"
        " stp x0, x1, [sp, #16]\n stp x2, x3, [sp, #32]\n stp x4, x5, [sp, #48]\n stp x6, x7, [sp, #64]\n str x8, [sp, #80]\n"
        " stp q0, q1, [sp, #96]\n stp q2, q3, [sp, #128]\n stp q4, q5, [sp, #160]\n stp q6, q7, [sp, #192]\n"
        " mov x0, x16\n bl late_call_find\n mov x17, x0\n"
        " ldp x0, x1, [sp, #16]\n ldp x2, x3, [sp, #32]\n ldp x4, x5, [sp, #48]\n ldp x6, x7, [sp, #64]\n ldr x8, [sp, #80]\n"
        " ldp q0, q1, [sp, #96]\n ldp q2, q3, [sp, #128]\n ldp q4, q5, [sp, #160]\n ldp q6, q7, [sp, #192]\n"
        " ldp x29, x30, [sp], #224\n br x17\n");
#define JUMP " adrp x16, 1f\n ldr x17, [x16, #:lo12:1f]\n add x16, x16, #:lo12:1f\n br x17\n2: b late_enter\n"
#endif
// clang-format on

/* Defines a jump for each function. Label 1 is its entry in the section .data.late: its slot, name and
 * library (struct LateCall). */
#define CALLS(library, ...)                                                                                  \
    __asm__(".irp name, " #__VA_ARGS__ "\n"                                                                  \
            ".text\n.balign 16\n.globl \\name\n.hidden \\name\n.type \\name, %function\n\\name:\n" JUMP      \
            ".section .data.late, \"aw\"\n.balign 8\n1: .quad 2b, 3f, " #library "\n"                        \
            ".section .rodata.late, \"a\"\n3: .asciz \"\\name\"\n.text\n.endr\n");

typedef struct LateCall {
    void *function;
    const char *name;
    long library;
} LateCall;

__attribute__((used, visibility("hidden"))) void *late_call_find(LateCall *call);
void *late_call_find(LateCall *call)
{
    void *function = late_library_symbol((LateLibrary)call->library, call->name);
    __atomic_store_n(&call->function, function, __ATOMIC_RELEASE);
    return function;
}

_Static_assert(LATE_ALGEBRA == 1 && LATE_HDF5 == 2 && LATE_ARCHIVE == 3 && LATE_SCENES == 4 &&
                   LATE_RAYS == 5 && LATE_DIGESTS == 6 && LATE_PACKED == 7,
               "as below");
CALLS(1, LAPACKE_dgelss, LAPACKE_dgeqrf, LAPACKE_dgesdd, LAPACKE_dorgqr, LAPACKE_dormtr, LAPACKE_dpotrf,
      LAPACKE_dstemr, LAPACKE_dsterf, LAPACKE_dsytrd, cholmod_allocate_dense, cholmod_allocate_sparse,
      cholmod_allocate_triplet, cholmod_analyze, cholmod_factorize, cholmod_factorize_p, cholmod_finish,
      cholmod_free_dense, cholmod_free_factor, cholmod_free_sparse, cholmod_free_triplet, cholmod_rcond,
      cholmod_solve, cholmod_solve2, cholmod_start, cholmod_triplet_to_sparse, cholmod_zeros, cblas_daxpy,
      cblas_ddot, cblas_dgemm, cblas_dscal, cblas_dswap, cblas_dsymm, cblas_dtrsm, cblas_sgemm,
      openblas_get_config, openblas_get_corename, openblas_get_parallel, openblas_set_num_threads)
CALLS(2, H5Aclose, H5Acreate2, H5Aexists, H5Aget_space, H5Aget_type, H5Aopen, H5Aread, H5Awrite, H5Dclose,
      H5Dcreate2, H5Dget_create_plist, H5Dget_offset, H5Dget_space, H5Dget_storage_size, H5Dget_type,
      H5Dopen2, H5Dread, H5Dwrite, H5Eset_auto2, H5Ewalk2, H5Fclose, H5Fcreate, H5Fis_hdf5, H5Fopen, H5Gclose,
      H5Gcreate2, H5Gget_info, H5Lexists, H5Lget_info, H5Lget_name_by_idx, H5Lget_val, H5Lunpack_elink_val,
      H5Pclose, H5Pcreate, H5Pget_chunk, H5Pget_external, H5Pget_external_count, H5Pget_filter2,
      H5Pget_layout, H5Pget_nfilters, H5Pget_virtual_filename, H5Pset_alloc_time, H5Pset_chunk,
      H5Pset_chunk_cache, H5Pset_libver_bounds, H5Pset_obj_track_times, H5Sclose, H5Screate, H5Screate_simple,
      H5Sget_simple_extent_dims, H5Sget_simple_extent_ndims, H5Sget_simple_extent_npoints,
      H5Sselect_hyperslab, H5Tclose, H5Tcopy, H5Tequal, H5Tget_class, H5Tget_size, H5Tget_strpad,
      H5Tis_variable_str, H5Tset_cset, H5Tset_size, H5Zfilter_avail, H5check_version, H5dont_atexit)
CALLS(3, archive_entry_filetype, archive_entry_hardlink, archive_entry_pathname, archive_entry_pathname_utf8,
      archive_entry_size, archive_entry_size_is_set, archive_entry_symlink, archive_errno,
      archive_error_string, archive_filter_bytes, archive_read_data, archive_read_free, archive_read_new,
      archive_read_next_header, archive_read_open_fd, archive_read_support_filter_bzip2,
      archive_read_support_filter_gzip, archive_read_support_filter_lzma, archive_read_support_filter_xz,
      archive_read_support_filter_zstd, archive_read_support_format_7zip, archive_read_support_format_raw,
      archive_read_support_format_tar, archive_read_support_format_zip)
CALLS(4, aiGetErrorString, aiImportFileFromMemory, aiReleaseImport, aiIdentityMatrix4)
CALLS(5, rtcAttachGeometry, rtcCommitGeometry, rtcCommitScene, rtcGetDeviceError, rtcIntersect1, rtcNewDevice,
      rtcNewGeometry, rtcNewScene, rtcOccluded8, rtcReleaseGeometry, rtcReleaseScene, rtcSetSceneFlags,
      rtcSetSharedGeometryBuffer)
CALLS(6, SHA256_Final, SHA256_Init, SHA256_Update)
CALLS(7, meshopt_decodeFilterExp, meshopt_decodeFilterOct, meshopt_decodeFilterQuat,
      meshopt_decodeIndexBuffer, meshopt_decodeIndexSequence, meshopt_decodeVertexBuffer)

#endif
