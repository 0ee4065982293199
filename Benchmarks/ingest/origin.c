// The stations of the benchmark: any number of listeners, each of which gets an endless ICY stream of numbered frames.
//
//     origin PORT MILLISECONDS
//
// Each listener is sent what is due every so many milliseconds, at a phase of its own, as many servers would: Icecast
// with a real encoder sends about every 87 ms. A newcomer gets 64 KiB at once.
#define _GNU_SOURCE
#include "../relay/frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 4096, BURST = 171, METAINT = 16000, MOST = 1 << 17 };

struct client {
    int playing;
    int wants_titles;
    int until_block;
    int64_t next;  // bytes of audio sent
    int64_t due;
    char request[2048];
    size_t length;
};

static struct client clients[CLIENTS];
static int64_t began, tick;
static int poller;

static int64_t live_bytes(void) {
    return (int64_t)((double)(now_nanoseconds() - began) / 1e9 * BYTES_PER_SECOND) + (int64_t)BURST * FRAME_BYTES;
}

static void drop(int fd) {
    epoll_ctl(poller, EPOLL_CTL_DEL, fd, NULL);
    close(fd);
    memset(&clients[fd], 0, sizeof clients[fd]);
}

/// Sends all audio that is due, whole frames or not, with the blocks between it.
static void play(int fd) {
    static uint8_t out[MOST];
    struct client *c = &clients[fd];
    size_t filled = 0;
    int64_t end = live_bytes();
    while (c->next < end && filled < MOST - 512) {
        uint8_t frame[FRAME_BYTES];
        int64_t number = c->next / FRAME_BYTES, offset = c->next % FRAME_BYTES;
        frame_make(frame, number, 0);
        int64_t take = FRAME_BYTES - offset;
        if (take > end - c->next) take = end - c->next;
        if (c->wants_titles && take > c->until_block) take = c->until_block;
        memcpy(out + filled, frame + offset, (size_t)take);
        filled += (size_t)take;
        c->next += take;
        if (!c->wants_titles) continue;
        c->until_block -= (int)take;
        if (c->until_block == 0) {
            out[filled++] = 0;
            c->until_block = METAINT;
        }
    }
    if (filled > 0 && send(fd, out, filled, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)filled) drop(fd);
}

static void hear(int fd) {
    struct client *c = &clients[fd];
    char scrap[512];
    char *into = c->playing ? scrap : c->request + c->length;
    ssize_t got = recv(fd, into, c->playing ? sizeof scrap : sizeof c->request - 1 - c->length, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN)) return drop(fd);
    if (got < 0 || c->playing) return;
    c->length += (size_t)got;
    if (!strstr(c->request, "\r\n\r\n")) return;
    c->wants_titles = strcasestr(c->request, "\nicy-metadata: 1") != NULL;
    char head[256];
    int length = snprintf(head, sizeof head, "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Counters\r\n%s\r\n",
        c->wants_titles ? "icy-metaint: 16000\r\n" : "");
    if (send(fd, head, (size_t)length, MSG_NOSIGNAL) != length) return drop(fd);
    c->playing = 1;
    c->until_block = METAINT;
    int64_t frame = live_bytes() / FRAME_BYTES - BURST;
    c->next = (frame > 0 ? frame : 0) * FRAME_BYTES;
    c->due = now_nanoseconds() + tick * (rand() % 1000) / 1000;
    play(fd);
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: origin PORT MILLISECONDS\n"), 64;
    signal(SIGPIPE, SIG_IGN);
    tick = atoll(argv[2]) * 1000000;
    began = now_nanoseconds();
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096)) return perror("origin"), 69;
    poller = epoll_create1(EPOLL_CLOEXEC);
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &(struct epoll_event){EPOLLIN, {.fd = listener}});
    for (;;) {
        struct epoll_event events[256];
        int count = epoll_wait(poller, events, 256, 5);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != listener) { hear(events[i].data.fd); continue; }
            int fd;
            while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                if (fd >= CLIENTS) { close(fd); continue; }
                // As a network would deliver it: each piece by itself.
                setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                epoll_ctl(poller, EPOLL_CTL_ADD, fd, &(struct epoll_event){EPOLLIN, {.fd = fd}});
            }
        }
        int64_t now = now_nanoseconds();
        for (int fd = 0; fd < CLIENTS; fd++) {
            if (!clients[fd].playing || clients[fd].due > now) continue;
            clients[fd].due += tick;
            play(fd);
        }
    }
}
