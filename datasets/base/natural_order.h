/* The order in which people number files: 2 before 10, 0007 beside 7. */
#ifndef SKINBENCH_BASE_NATURAL_ORDER_H
#define SKINBENCH_BASE_NATURAL_ORDER_H

/* As strcmp, but runs of digits compare by their value, of any length. Equal values ("7" and "007") differ
 * only where nothing else does, so that the order is total. */
int natural_compare(const char *a, const char *b);

#endif
