/* Defines the functions that compilers call for quadruple-precision arithmetic, under the names that
 * compilers expect. The linker prefers them to the functions of the compiler's own library. Nothing else in
 * the program uses quadruple precision. */
#include "datasets/geometry/counted_real.h"

/* Operations counted by each thread. The counters are thread-local because the functions below cannot get
 * them as an argument: compilers determine the arguments. */
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
