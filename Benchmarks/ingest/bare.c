// The least that libcurl can do: N streams in one multi handle, one write(2) a callback, no titles, no frames, no sync.
//
//     bare socket|poll URL COUNT WARM-UP SECONDS FOLDER
//
// `socket` drives libcurl by its socket interface over epoll, `poll` by curl_multi_poll and curl_multi_perform. Prints
// the CPU that the process used in the window, in microseconds per stream and second, and what it holds.
#include "measure.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>

static long long received;
static int poller;
static int64_t due = INT64_MAX;

static size_t save(char *bytes, size_t size, size_t count, void *context) {
    size_t total = size * count;
    received += (long long)total;
    return write((int)(long)context, bytes, total) == (ssize_t)total ? total : 0;
}

static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    (void)easy, (void)context;
    if (what == CURL_POLL_REMOVE) return epoll_ctl(poller, EPOLL_CTL_DEL, socket, NULL), 0;
    struct epoll_event event = {.data.fd = socket};
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    epoll_ctl(poller, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    if (!known) curl_multi_assign(context, socket, context);
    return 0;
}

// libcurl's timer goes off once; left standing it would turn the loop without a pause.
static int timer(CURLM *multi, long milliseconds, void *context) {
    (void)multi, (void)context;
    due = milliseconds < 0 ? INT64_MAX : wall_nanoseconds() + milliseconds * 1000000;
    return 0;
}

static int pause_ms(void) {
    int64_t rest = due == INT64_MAX ? 1000000000 : due - wall_nanoseconds();
    return rest < 0 ? 0 : rest > 1000000000 ? 1000 : (int)((rest + 999999) / 1000000);
}

static void turn(CURLM *multi, int by_socket) {
    int running;
    if (!by_socket) {
        curl_multi_poll(multi, NULL, 0, 1000, NULL);
        curl_multi_perform(multi, &running);
        return;
    }
    struct epoll_event events[256];
    int count = epoll_wait(poller, events, 256, pause_ms());
    if (due != INT64_MAX && wall_nanoseconds() >= due) {
        due = INT64_MAX;
        curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    for (int i = 0; i < count; i++) {
        int mask = (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) | (events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0)
            | (events[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
        curl_multi_socket_action(multi, events[i].data.fd, mask, &running);
    }
}

int main(int argc, char **argv) {
    if (argc != 7) return fprintf(stderr, "usage: bare socket|poll URL COUNT WARM-UP SECONDS FOLDER\n"), 64;
    int by_socket = argv[1][0] == 's', count = atoi(argv[3]);
    CURLM *multi = curl_multi_init();
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (by_socket) {
        curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
        curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, multi);
        curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    }
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%d.mp3", argv[6], i);
        int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
        CURL *easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, argv[2]);
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, save);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, (void *)(long)file);
        curl_multi_add_handle(multi, easy);
    }
    int64_t start = wall_nanoseconds(), warm = (int64_t)(atof(argv[4]) * 1e9), length = (int64_t)(atof(argv[5]) * 1e9);
    while (wall_nanoseconds() - start < warm) turn(multi, by_socket);
    int64_t began = wall_nanoseconds(), used = cpu_nanoseconds();
    received = 0;
    while (wall_nanoseconds() - began < length) turn(multi, by_socket);
    print_row(count, cpu_nanoseconds() - used, wall_nanoseconds() - began, received);
    return 0;
}
