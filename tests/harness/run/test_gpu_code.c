/* Counts the instructions in the text and binary files of GPU programs, which are made by hand here. */
#include "tests/support.h"

#include "harness/run/studies/gpu_code.h"
#include <elf.h>

TEST(ptx_is_counted)
{
    static const char text[] = "//\n.version 8.0\n"
                               ".visible .entry other(\n)\n{\n\tadd.f32 \t%f1, %f2, %f3;\n\tret;\n}\n"
                               ".visible .entry mine(\n\t.param .u64 mine_param_0\n)\n{\n"
                               "\t.reg .pred \t%p<3>;\n\t.loc 1 2 3\n\n"
                               "\tld.param.u64 \t%rd1, [mine_param_0];\n"
                               "\tcvta.to.global.u64 \t%rd2, %rd1;\n"
                               "\tld.global.nc.f32 \t%f1, [%rd2];\n"
                               "\tmov.f32 \t%f2, 0f3F800000;\n"
                               "\tfma.rn.f32 \t%f3, %f1, %f2, %f1;\n"
                               "$L__BB1_2:\n"
                               "\t// a comment\n"
                               "\tsetp.gt.f32 \t%p1, %f3, %f1;\n"
                               "\t@%p1 bra \t$L__BB1_2;\n"
                               "\t@!%p1 mul.f32 \t%f3, %f3, %f3;\n"
                               "\tmul.lo.s32 \t%r1, %r2, 3;\n"
                               "\tst.global.f32 \t[%rd2], %f3;\n"
                               "\tret;\n\n}\n";
    PtxCounts counts = ptx_count(text, "mine");
    assert_int_equal(counts.all, 11);
    assert_int_equal(counts.arithmetic, 3);
    assert_int_equal(counts.loads, 1);
    assert_int_equal(counts.stores, 1);
    assert_int_equal(ptx_count(text, "other").all, 2);
    assert_int_equal(ptx_count(text, "none").all, 0);
    assert_int_equal(ptx_count("", "mine").all, 0);
}

/* An ELF file that contains section names in section 1 and `words` instructions in section 2. */
typedef struct File {
    Elf64_Ehdr head;
    Elf64_Shdr sections[3];
    char names[32];
    uint64_t code[16][2];
} File;

static File file_make(const uint64_t *opcodes, int count)
{
    static const char NAMES[] = "\0.names\0.text.mine";
    File file = {
        .head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                 .e_shoff = offsetof(File, sections),
                 .e_shentsize = sizeof(Elf64_Shdr),
                 .e_shnum = 3,
                 .e_shstrndx = 1}};
    memcpy(file.names, NAMES, sizeof NAMES);
    file.sections[1] = (Elf64_Shdr){.sh_name = 1,
                                    .sh_type = SHT_STRTAB,
                                    .sh_offset = offsetof(File, names),
                                    .sh_size = sizeof file.names};
    file.sections[2] = (Elf64_Shdr){.sh_name = 8,
                                    .sh_type = SHT_PROGBITS,
                                    .sh_offset = offsetof(File, code),
                                    .sh_size = 16 * (uint64_t)count};
    for (int i = 0; i < count; i++)
        file.code[i][0] = opcodes[i];
    return file;
}

TEST(machine_code_is_counted)
{
    /* The program has two additions with a no-operation between them, the exit, a jump to itself, and
     * padding. */
    const uint64_t opcodes[] = {0x7221, 0x7918, 0x7221, 0x794d, 0xfffc0000007947, 0x7918, 0x7918, 0x7918};
    File file = file_make(opcodes, 8), damaged;
    char *bytes = (char *)&file;
    assert_int_equal(cubin_count(bytes, sizeof file, "mine"), 4);
    assert_int_equal(cubin_count(bytes, sizeof file, "other"), -1);
    for (size_t size = 0; size < offsetof(File, code) + 16 * (size_t)8; size += 8)
        assert_int_equal(cubin_count(bytes, size, "mine"), -1);
    damaged = file;
    damaged.head.e_shoff = UINT64_MAX - 8;
    assert_int_equal(cubin_count((char *)&damaged, sizeof damaged, "mine"), -1);
    damaged = file;
    damaged.sections[2].sh_offset = UINT64_MAX - 8;
    assert_int_equal(cubin_count((char *)&damaged, sizeof damaged, "mine"), -1);
    damaged = file;
    damaged.sections[2].sh_name = 31;
    assert_int_equal(cubin_count((char *)&damaged, sizeof damaged, "mine"), -1);
    damaged = file;
    damaged.head.e_ident[0] = 'x';
    assert_int_equal(cubin_count((char *)&damaged, sizeof damaged, "mine"), -1);
}
