/* There is no clock here. FFmpeg looks at one until it has moved on, so this one does at each look. */
#include <time.h>

clock_t clock(void)
{
    static clock_t ticks;
    return ticks += 1;
}
