// The session bus of a desktop, through libsystemd's sd-bus. The library is loaded when it is first needed: a program that
// never speaks to a bus, or a machine that has none, does without.
#ifndef AIRCHECK_CBUS_H
#define AIRCHECK_CBUS_H

#include <stdint.h>

typedef struct aircheck_bus aircheck_bus;
typedef struct aircheck_bus_message aircheck_bus_message;

/// Told of a call to our object. Answers 1 when it has sent a reply, 0 to have the bus say that there is no such method.
typedef int (*aircheck_bus_handler)(aircheck_bus_message *call, void *context);

/// Opens the user's bus. 0, or -errno: -ENOENT where there is no bus or no library.
int aircheck_bus_open(aircheck_bus **bus);
/// Has `handler` told of every call to the object at `path`. `context` must live for as long as the bus.
int aircheck_bus_serve(aircheck_bus *bus, const char *path, aircheck_bus_handler handler, void *context);
/// Takes a name. 0, -EEXIST where another has it, or -errno.
int aircheck_bus_take_name(aircheck_bus *bus, const char *name);
/// Sends what waits, closes the connection and frees it.
void aircheck_bus_close(aircheck_bus *bus);

int aircheck_bus_descriptor(aircheck_bus *bus);
/// What to wait for, in the bits of poll(2).
int aircheck_bus_events(aircheck_bus *bus);
/// Does one thing that is due: >0 there may be more, 0 there is none, -errno when the connection is lost.
int aircheck_bus_process(aircheck_bus *bus);

const char *aircheck_bus_interface(aircheck_bus_message *message);
const char *aircheck_bus_member(aircheck_bus_message *message);
/// Reads a basic value: >0 there was one, 0 at the end, -errno where it is of another type.
int aircheck_bus_read(aircheck_bus_message *message, char type, void *value);
/// Steps into a container, as the `v` of a variant with the contents "d".
int aircheck_bus_enter(aircheck_bus_message *message, char type, const char *contents);

int aircheck_bus_new_reply(aircheck_bus_message *call, aircheck_bus_message **reply);
int aircheck_bus_new_signal(
    aircheck_bus *bus, const char *path, const char *interface, const char *member, aircheck_bus_message **signal);
int aircheck_bus_reply_error(aircheck_bus_message *call, const char *name, const char *text);
/// Writes a basic value; strings and paths by their pointer, everything else by a pointer to it.
int aircheck_bus_append(aircheck_bus_message *message, char type, const void *value);
int aircheck_bus_open_container(aircheck_bus_message *message, char type, const char *contents);
int aircheck_bus_close_container(aircheck_bus_message *message);
/// Sends.
int aircheck_bus_send(aircheck_bus_message *message);
/// Frees a message that was made here.
void aircheck_bus_free(aircheck_bus_message *message);

#endif
