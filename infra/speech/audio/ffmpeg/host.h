/* All that this module asks of whoever runs it. */
#ifndef VAAK_HOST_H
#define VAAK_HOST_H

#define HOST_CALL(name) __attribute__((import_module("host"), import_name(name)))
/* What the host may call. */
#define EXPORTED(name) __attribute__((export_name(#name))) name

/* Bytes of the recording from a position on; how many there were, or less than none when they cannot be read. */
HOST_CALL("read") int host_read(double position, void *into, int size);

/* The next bytes of what is encoded. */
HOST_CALL("write") void host_write(const void *bytes, int size);

#endif
