/* Room for what the host tells us in words. */
#include <stdlib.h>

#include "host.h"

void *EXPORTED(allocate)(int size)
{
    return malloc(size);
}
