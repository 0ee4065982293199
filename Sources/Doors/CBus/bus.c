#define _GNU_SOURCE
#include "CBus.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <systemd/sd-bus.h>

// Every function of the library that is used, looked up by its name.
#define EACH(call)                                                                                                      \
    call(sd_bus_open_user) call(sd_bus_add_object) call(sd_bus_request_name) call(sd_bus_flush_close_unref)             \
    call(sd_bus_get_fd) call(sd_bus_get_events) call(sd_bus_process) call(sd_bus_message_get_interface)                 \
    call(sd_bus_message_get_member) call(sd_bus_message_read_basic) call(sd_bus_message_enter_container)                \
    call(sd_bus_message_new_method_return) call(sd_bus_message_new_signal) call(sd_bus_message_new_method_errorf)       \
    call(sd_bus_message_append_basic) call(sd_bus_message_open_container) call(sd_bus_message_close_container)          \
    call(sd_bus_send) call(sd_bus_message_unref)

static struct {
#define FIELD(name) __typeof__(&name) name;
    EACH(FIELD)
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded = 0;

static void load(void)
{
    void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
#define LOOK_UP(name) if (!(library.name = (__typeof__(library.name))dlsym(handle, #name))) return;
    EACH(LOOK_UP)
    is_loaded = 1;
}

static sd_bus *bus_of(aircheck_bus *bus) { return (sd_bus *)bus; }
static sd_bus_message *message_of(aircheck_bus_message *message) { return (sd_bus_message *)message; }

// What an object's handler needs; lives until the process ends, as the object does.
struct route {
    aircheck_bus_handler handler;
    void *context;
};

static int called(sd_bus_message *message, void *userdata, sd_bus_error *error)
{
    struct route *route = userdata;
    (void)error;
    return route->handler((aircheck_bus_message *)message, route->context);
}

int aircheck_bus_open(aircheck_bus **bus)
{
    pthread_once(&once, load);
    if (!is_loaded) return -ENOENT;
    sd_bus *opened = NULL;
    int result = library.sd_bus_open_user(&opened);
    *bus = (aircheck_bus *)opened;
    return result < 0 ? result : 0;
}

int aircheck_bus_serve(aircheck_bus *bus, const char *path, aircheck_bus_handler handler, void *context)
{
    struct route *route = malloc(sizeof *route);
    if (!route) return -ENOMEM;
    route->handler = handler;
    route->context = context;
    int result = library.sd_bus_add_object(bus_of(bus), NULL, path, called, route);
    if (result < 0) free(route);
    return result < 0 ? result : 0;
}

int aircheck_bus_take_name(aircheck_bus *bus, const char *name)
{
    int result = library.sd_bus_request_name(bus_of(bus), name, 0);
    return result < 0 ? result : 0;
}

void aircheck_bus_close(aircheck_bus *bus) { library.sd_bus_flush_close_unref(bus_of(bus)); }
int aircheck_bus_descriptor(aircheck_bus *bus) { return library.sd_bus_get_fd(bus_of(bus)); }
int aircheck_bus_events(aircheck_bus *bus) { return library.sd_bus_get_events(bus_of(bus)); }
int aircheck_bus_process(aircheck_bus *bus) { return library.sd_bus_process(bus_of(bus), NULL); }

const char *aircheck_bus_interface(aircheck_bus_message *message)
{
    return library.sd_bus_message_get_interface(message_of(message));
}

const char *aircheck_bus_member(aircheck_bus_message *message)
{
    return library.sd_bus_message_get_member(message_of(message));
}

int aircheck_bus_read(aircheck_bus_message *message, char type, void *value)
{
    return library.sd_bus_message_read_basic(message_of(message), type, value);
}

int aircheck_bus_enter(aircheck_bus_message *message, char type, const char *contents)
{
    return library.sd_bus_message_enter_container(message_of(message), type, contents);
}

int aircheck_bus_new_reply(aircheck_bus_message *call, aircheck_bus_message **reply)
{
    return library.sd_bus_message_new_method_return(message_of(call), (sd_bus_message **)reply);
}

int aircheck_bus_new_signal(
    aircheck_bus *bus, const char *path, const char *interface, const char *member, aircheck_bus_message **signal)
{
    return library.sd_bus_message_new_signal(bus_of(bus), (sd_bus_message **)signal, path, interface, member);
}

int aircheck_bus_reply_error(aircheck_bus_message *call, const char *name, const char *text)
{
    sd_bus_message *reply = NULL;
    int result = library.sd_bus_message_new_method_errorf(message_of(call), &reply, name, "%s", text);
    if (result < 0) return result;
    result = aircheck_bus_send((aircheck_bus_message *)reply);
    aircheck_bus_free((aircheck_bus_message *)reply);
    return result;
}

int aircheck_bus_append(aircheck_bus_message *message, char type, const void *value)
{
    return library.sd_bus_message_append_basic(message_of(message), type, value);
}

int aircheck_bus_open_container(aircheck_bus_message *message, char type, const char *contents)
{
    return library.sd_bus_message_open_container(message_of(message), type, contents);
}

int aircheck_bus_close_container(aircheck_bus_message *message)
{
    return library.sd_bus_message_close_container(message_of(message));
}

int aircheck_bus_send(aircheck_bus_message *message)
{
    int result = library.sd_bus_send(NULL, message_of(message), NULL);
    return result < 0 ? result : 0;
}

void aircheck_bus_free(aircheck_bus_message *message) { library.sd_bus_message_unref(message_of(message)); }
