/* Counts the instructions in PTX, line by line, and in the ELF section of a CUBIN. */
#include "harness/studies/gpu_code.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- PTX ---- */

static bool opcode_is(const char *opcode, size_t length, const char *name)
{
    size_t wanted = strlen(name);
    return length >= wanted && strncmp(opcode, name, wanted) == 0 &&
           (length == wanted || opcode[wanted] == '.');
}

static bool opcode_has(const char *opcode, size_t length, const char *part)
{
    size_t wanted = strlen(part);
    for (size_t i = 0; i + wanted <= length; i++)
        if (strncmp(opcode + i, part, wanted) == 0)
            return true;
    return false;
}

static void opcode_count(const char *opcode, size_t length, PtxCounts *counts)
{
    bool load = opcode_is(opcode, length, "ld"), store = opcode_is(opcode, length, "st");
    bool move = opcode_is(opcode, length, "mov") || opcode_is(opcode, length, "cvta");
    counts->all++;
    counts->loads += load && !opcode_has(opcode, length, ".param");
    counts->stores += store;
    counts->arithmetic += !load && !store && !move && opcode_has(opcode, length, ".f32");
}

/* One line of a body: an instruction, unless it is empty, a declaration, a label, a brace or a comment. */
static void line_count(const char *line, size_t length, PtxCounts *counts)
{
    size_t at = strspn(line, " \t");
    if (at < length && line[at] == '@') { /* the predicate under which it is carried out */
        at += strcspn(line + at, " \t\n");
        at += strspn(line + at, " \t");
    }
    if (at >= length || strchr("./{}$()", line[at]))
        return;
    size_t opcode = strcspn(line + at, " \t;\n");
    if (opcode > 0 && line[at + opcode - 1] != ':')
        opcode_count(line + at, opcode, counts);
}

PtxCounts ptx_count(const char *ptx, const char *entry)
{
    PtxCounts counts = {0, 0, 0, 0};
    char head[128];
    snprintf(head, sizeof head, ".entry %.100s(", entry);
    const char *begin = strstr(ptx, head), *body = begin ? strstr(begin, "\n{") : NULL;
    const char *end = body ? strstr(body, "\n}") : NULL;
    for (const char *line = body; line && end && line < end;) {
        line++;
        size_t length = strcspn(line, "\n");
        line_count(line, length, &counts);
        line += length;
    }
    return counts;
}

/* ---- machine code ---- */

enum { INSTRUCTION_BYTES = 16, OPCODE_MASK = 0xfff, OPCODE_NOP = 0x918, OPCODE_BRA = 0x947 };

static bool range_fits(uint64_t offset, uint64_t length, size_t size)
{
    return offset <= size && length <= size - offset;
}

static bool section_read(const char *cubin, size_t size, const Elf64_Ehdr *head, unsigned index,
                         Elf64_Shdr *out)
{
    uint64_t at = head->e_shoff + (uint64_t)index * sizeof *out;
    if (head->e_shoff > size || index >= head->e_shnum || !range_fits(at, sizeof *out, size))
        return false;
    memcpy(out, cubin + at, sizeof *out);
    return out->sh_type == SHT_NOBITS || range_fits(out->sh_offset, out->sh_size, size);
}

static bool section_find(const char *cubin, size_t size, const char *name, Elf64_Shdr *out)
{
    Elf64_Ehdr head;
    Elf64_Shdr names;
    if (size < sizeof head)
        return false;
    memcpy(&head, cubin, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_shentsize != sizeof *out || !section_read(cubin, size, &head, head.e_shstrndx, &names))
        return false;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        size_t length = strlen(name) + 1;
        if (section_read(cubin, size, &head, i, out) && names.sh_size >= length &&
            out->sh_name <= names.sh_size - length &&
            memcmp(cubin + names.sh_offset + out->sh_name, name, length) == 0)
            return out->sh_type != SHT_NOBITS;
    }
    return false;
}

int cubin_count(const char *cubin, size_t size, const char *entry)
{
    Elf64_Shdr section;
    char name[128];
    int last = 0, count = 0;
    snprintf(name, sizeof name, ".text.%.100s", entry);
    if (!section_find(cubin, size, name, &section))
        return -1;
    for (uint64_t at = 0; at + INSTRUCTION_BYTES <= section.sh_size; at += INSTRUCTION_BYTES) {
        uint64_t word;
        memcpy(&word, cubin + section.sh_offset + at, sizeof word);
        count++;
        if ((word & OPCODE_MASK) != OPCODE_NOP)
            last = count;
    }
    /* What ends a kernel is a jump to itself, never reached. */
    if (last > 0) {
        uint64_t word;
        memcpy(&word, cubin + section.sh_offset + (uint64_t)(last - 1) * INSTRUCTION_BYTES, sizeof word);
        last -= (word & OPCODE_MASK) == OPCODE_BRA;
    }
    return last;
}
