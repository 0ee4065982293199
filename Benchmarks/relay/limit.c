// What a relay must cost at least: one thread, one ring mapped twice, one send per listener and batch, nothing else.
//
//     limit UPSTREAM_PORT LISTEN_PORT [BATCH_MS]
//
// No titles, no limits, no second mount, no slow rule: the yardstick that the real relay is measured with.
#define _GNU_SOURCE
#include "frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

enum { RING = 1 << 20, BURST = 64 << 10, MOST = 65536, EVENTS = 512 };

static const char HEAD[] = "HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: limit\r\nConnection: close\r\n\r\n";

struct listener {
    int64_t place;
    int fd;
    int full;
};

static uint8_t *ring;
static int64_t head;
static struct listener *rows;
static int count;
static int row_of[MOST];
static int poller, upstream, upstream_head_done;

static void remove_row(int index) {
    int fd = rows[index].fd;
    row_of[fd] = -1;
    rows[index] = rows[--count];
    if (index < count) row_of[rows[index].fd] = index;
    close(fd);
}

static void send_due(int index) {
    struct listener *row = &rows[index];
    size_t due = (size_t)(head - row->place);
    if (due == 0 || row->full) return;
    ssize_t sent = send(row->fd, ring + (row->place & (RING - 1)), due, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) return remove_row(index);
    if (sent > 0) row->place += sent;
    row->full = sent != (ssize_t)due;
}

static void begin(int fd) {
    // The request has come: no parser here, whatever it is it means the mount.
    int64_t place = head > BURST ? (head - BURST) / FRAME_BYTES * FRAME_BYTES : 0;
    struct iovec pieces[2] = {
        {(void *)HEAD, sizeof HEAD - 1},
        {ring + (place & (RING - 1)), (size_t)(head - place)},
    };
    ssize_t sent = writev(fd, pieces, 2);
    if (sent < (ssize_t)sizeof HEAD - 1) return (void)close(fd);
    row_of[fd] = count;
    rows[count++] = (struct listener){place + sent - (ssize_t)(sizeof HEAD - 1), fd, 0};
}

static void accept_all(int listener) {
    for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
        if (fd >= MOST) { close(fd); continue; }
        int yes = 1, buffer = 128 << 10;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.fd = fd};
        row_of[fd] = -1;
        epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
    }
}

static void hear(int fd, uint32_t events) {
    int index = row_of[fd];
    if (index >= 0) {
        if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) return remove_row(index);
        rows[index].full = 0;
        return;
    }
    char request[4096];
    ssize_t got = recv(fd, request, sizeof request, MSG_DONTWAIT);
    if (got > 0) begin(fd);
    else if (got == 0 || errno != EAGAIN) close(fd);
}

static void fill(void) {
    static char text[4096];
    static size_t text_length;
    for (;;) {
        if (!upstream_head_done) {
            ssize_t got = recv(upstream, text + text_length, 1, MSG_DONTWAIT);
            if (got <= 0) { if (got == 0) exit(69); return; }
            text_length += (size_t)got;
            if (text_length >= 4 && memcmp(text + text_length - 4, "\r\n\r\n", 4) == 0) upstream_head_done = 1;
            if (text_length == sizeof text) exit(69);
            continue;
        }
        ssize_t got = recv(upstream, ring + (head & (RING - 1)), 64 << 10, MSG_DONTWAIT);
        if (got == 0) exit(69);
        if (got < 0) return;
        head += got;
    }
}

static void map_ring(void) {
    int file = memfd_create("ring", MFD_CLOEXEC);
    if (ftruncate(file, RING) != 0) exit(71);
    ring = mmap(NULL, 2 * RING, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int half = 0; half < 2; half++)
        mmap(ring + half * RING, RING, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    close(file);
}

static int open_socket(int port, int listening) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    int failed = listening ? bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 4096)
                           : connect(fd, (struct sockaddr *)&address, sizeof address);
    if (failed) { perror("limit"); exit(69); }
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: limit UPSTREAM_PORT LISTEN_PORT [BATCH_MS]\n"), 64;
    int64_t batch = (argc > 3 ? atoi(argv[3]) : 250) * 1000000LL;
    signal(SIGPIPE, SIG_IGN);
    map_ring();
    rows = calloc(MOST, sizeof *rows);
    poller = epoll_create1(EPOLL_CLOEXEC);
    upstream = open_socket(atoi(argv[1]), 0);
    const char *request = "GET / HTTP/1.0\r\n\r\n";
    if (send(upstream, request, strlen(request), MSG_NOSIGNAL) < 0) return 69;
    int listener = open_socket(atoi(argv[2]), 1);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    int64_t next = now_nanoseconds() + batch;
    for (;;) {
        struct epoll_event events[EVENTS];
        int64_t wait = next - now_nanoseconds();
        int ready = epoll_wait(poller, events, EVENTS, wait > 0 ? (int)(wait / 1000000) + 1 : 0);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd == listener) accept_all(listener);
            else hear(events[i].data.fd, events[i].events);
        }
        if (now_nanoseconds() < next) continue;
        next += batch;
        // The upstream is read once a batch: its bytes wait in the kernel until then.
        fill();
        for (int i = count - 1; i >= 0; i--) send_due(i);
    }
}
