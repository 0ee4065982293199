// The upstream of the benchmark: an endless ICY station on loopback whose frames are numbered and dated.
//
//     origin PORT [SECONDS BETWEEN TITLES]
//
// Frames become due every 24 ms and are sent in ticks of 50 ms, as a real encoder's packets would arrive. A newcomer
// gets the last 64 KiB at once. Few clients at a time: the relays under test.
#define _GNU_SOURCE
#include "frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 64, HISTORY = 1024, BURST = 171, METAINT = 16000, TICK_MS = 50 };

struct client {
    int fd;
    int playing;
    int wants_titles;
    int until_block;
    int64_t told;
    char request[4096];
    size_t request_length;
};

static struct client clients[CLIENTS];
static uint8_t history[HISTORY][FRAME_BYTES];
static int64_t made;
static double title_seconds = 8;

static void drop(struct client *c) {
    close(c->fd);
    memset(c, 0, sizeof *c);
    c->fd = -1;
}

static int put(struct client *c, const void *bytes, size_t length) {
    // The relays read at once; one that leaves half a megabyte lying is dropped.
    if (send(c->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length) return 1;
    drop(c);
    return 0;
}

static int64_t title_number(void) {
    return title_seconds > 0 ? (int64_t)((double)made * FRAME_NANOSECONDS / 1e9 / title_seconds) : 0;
}

static int put_block(struct client *c) {
    uint8_t block[4081] = {0};
    int64_t number = title_number();
    if (number == c->told) return put(c, block, 1);
    c->told = number;
    int length = snprintf((char *)block + 1, 4080, "StreamTitle='The Counters - Title %lld';", (long long)number);
    block[0] = (uint8_t)((length + 15) / 16);
    return put(c, block, 1 + 16 * (size_t)block[0]);
}

static void put_frame(struct client *c, const uint8_t *frame) {
    size_t left = FRAME_BYTES;
    while (left > 0 && c->fd >= 0) {
        size_t take = left;
        if (c->wants_titles && (size_t)c->until_block < take) take = (size_t)c->until_block;
        if (take > 0 && !put(c, frame + FRAME_BYTES - left, take)) return;
        left -= take;
        if (!c->wants_titles) continue;
        c->until_block -= (int)take;
        if (c->until_block == 0) {
            c->until_block = METAINT;
            if (!put_block(c)) return;
        }
    }
}

static void answer(struct client *c) {
    char head[512];
    c->wants_titles = title_seconds > 0 && strcasestr(c->request, "\nicy-metadata: 1") != NULL;
    int length = snprintf(head, sizeof head,
        "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Counters\r\nicy-br: 128\r\nicy-genre: test\r\n"
        "Connection: close\r\n");
    if (c->wants_titles) length += snprintf(head + length, sizeof head - (size_t)length, "icy-metaint: %d\r\n", METAINT);
    length += snprintf(head + length, sizeof head - (size_t)length, "\r\n");
    c->playing = 1;
    c->until_block = METAINT;
    c->told = -1;
    if (!put(c, head, (size_t)length)) return;
    int64_t first = made > BURST ? made - BURST : 0;
    for (int64_t n = first; n < made && c->fd >= 0; n++) put_frame(c, history[n % HISTORY]);
}

static void hear(struct client *c) {
    char scrap[1024];
    char *into = c->playing ? scrap : c->request + c->request_length;
    size_t room = c->playing ? sizeof scrap : sizeof c->request - 1 - c->request_length;
    ssize_t got = recv(c->fd, into, room, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN) || room == 0) return drop(c);
    if (got < 0 || c->playing) return;
    c->request_length += (size_t)got;
    if (strstr(c->request, "\r\n\r\n")) answer(c);
}

static void welcome(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    for (int i = 0; i < CLIENTS; i++) {
        if (clients[i].fd >= 0) continue;
        clients[i].fd = fd;
        // Frames are small and each takes a kernel buffer of its own: room for a burst of them.
        int room = 8 << 20;
        if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room) != 0)
            setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
        return;
    }
    close(fd);
}

static void make_due_frames(int64_t start) {
    int64_t now = now_nanoseconds();
    while (start + made * FRAME_NANOSECONDS <= now) {
        // Dated by the tick that sends it: age is then what the relay adds.
        frame_make(history[made % HISTORY], made, now);
        made++;
        for (int i = 0; i < CLIENTS; i++)
            if (clients[i].fd >= 0 && clients[i].playing) put_frame(&clients[i], history[(made - 1) % HISTORY]);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: origin PORT [SECONDS BETWEEN TITLES]\n"), 64;
    if (argc > 2) title_seconds = atof(argv[2]);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < CLIENTS; i++) clients[i].fd = -1;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 64)) return perror("origin"), 69;
    // A history from the start, so that the first relay gets a whole burst.
    int64_t start = now_nanoseconds() - (BURST + 1) * FRAME_NANOSECONDS;
    for (;;) {
        struct pollfd ready[CLIENTS + 1];
        for (int i = 0; i < CLIENTS; i++) ready[i] = (struct pollfd){clients[i].fd, POLLIN, 0};
        ready[CLIENTS] = (struct pollfd){listener, POLLIN, 0};
        int64_t tick = TICK_MS * 1000000LL;
        int64_t wait = tick - (now_nanoseconds() - start) % tick;
        if (poll(ready, CLIENTS + 1, (int)(wait / 1000000) + 1) > 0) {
            for (int i = 0; i < CLIENTS; i++)
                if (ready[i].revents && clients[i].fd >= 0) hear(&clients[i]);
            if (ready[CLIENTS].revents) welcome(listener);
        }
        if ((now_nanoseconds() - start) / tick != (made * FRAME_NANOSECONDS) / tick) make_due_frames(start);
    }
}
