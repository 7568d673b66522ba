/* The calls that compilers make of arithmetic in quadruple precision, under the names that the compiler gives
 * them: the linker takes these before those of the compiler's own library. Nothing else in the program
 * computes so. */
#include "datasets/geometry/counted_real.h"

/* Of the thread, as the functions below have no argument for it. */
static _Thread_local OperationCounts counted;

OperationCounts counted_operations_reset(void)
{
    const OperationCounts taken = counted;
    counted = (OperationCounts){0.0, 0.0, 0.0};
    return taken;
}

#if COUNTED_REAL

CountedReal counted_add(CountedReal a, CountedReal b) __asm__("__addtf3");
CountedReal counted_sub(CountedReal a, CountedReal b) __asm__("__subtf3");
CountedReal counted_mul(CountedReal a, CountedReal b) __asm__("__multf3");
CountedReal counted_div(CountedReal a, CountedReal b) __asm__("__divtf3");

CountedReal counted_add(CountedReal a, CountedReal b)
{
    counted.additions += 1.0;
    return (CountedReal)((double)a + (double)b);
}

CountedReal counted_sub(CountedReal a, CountedReal b)
{
    counted.additions += 1.0;
    return (CountedReal)((double)a - (double)b);
}

CountedReal counted_mul(CountedReal a, CountedReal b)
{
    counted.multiplications += 1.0;
    return (CountedReal)((double)a * (double)b);
}

CountedReal counted_div(CountedReal a, CountedReal b)
{
    counted.divisions += 1.0;
    return (CountedReal)((double)a / (double)b);
}

#endif
