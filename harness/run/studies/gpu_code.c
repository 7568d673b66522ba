/* Counts the instructions of PTX line by line, and those in the ELF section of a CUBIN. */
#include "harness/run/studies/gpu_code.h"

#include <libelf.h>

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

/* Counts one line of a kernel's body. A line is an instruction unless it is empty or is a declaration, a
 * label, a brace or a comment. */
static void line_count(const char *line, size_t length, PtxCounts *counts)
{
    size_t offset = strspn(line, " \t");
    if (offset < length && line[offset] == '@') { /* skip the predicate */
        offset += strcspn(line + offset, " \t\n");
        offset += strspn(line + offset, " \t");
    }
    if (offset >= length || strchr("./{}$()", line[offset]))
        return;
    size_t opcode = strcspn(line + offset, " \t;\n");
    if (opcode == 0 || line[offset + opcode - 1] == ':')
        return;
    line += offset;
    bool load = opcode_is(line, opcode, "ld"), store = opcode_is(line, opcode, "st");
    bool move = opcode_is(line, opcode, "mov") || opcode_is(line, opcode, "cvta");
    counts->all++;
    counts->loads += load && !opcode_has(line, opcode, ".param");
    counts->stores += store;
    counts->arithmetic += !load && !store && !move && opcode_has(line, opcode, ".f32");
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

/* Returns the bytes of the section with this name; NULL if there is none or the file is damaged. */
static const Elf_Data *section_find(Elf *elf, const char *name)
{
    size_t names;
    if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
        const Elf64_Shdr *head = elf64_getshdr(section);
        const char *section_name = head ? elf_strptr(elf, names, head->sh_name) : NULL;
        if (section_name && strcmp(section_name, name) == 0 && head->sh_type != SHT_NOBITS)
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

static unsigned opcode_at(const Elf_Data *code, size_t instruction)
{
    uint64_t word;
    memcpy(&word, (const char *)code->d_buf + instruction * INSTRUCTION_BYTES, sizeof word);
    return (unsigned)(word & OPCODE_MASK);
}

int cubin_count(char *cubin, size_t size, const char *entry)
{
    char name[128];
    snprintf(name, sizeof name, ".text.%.100s", entry);
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(cubin, size);
    const Elf_Data *code = section_find(elf, name);
    size_t count = code ? code->d_size / INSTRUCTION_BYTES : 0;
    while (count > 0 && opcode_at(code, count - 1) == OPCODE_NOP)
        count--;
    /* leave out the jump to itself after the end of a kernel; it is never reached */
    if (count > 0 && opcode_at(code, count - 1) == OPCODE_BRA)
        count--;
    elf_end(elf);
    return code ? (int)count : -1;
}
