// Ten thousand listeners in one thread, each of which checks every byte it gets.
//
//     load PORT MOUNT LISTENERS [-r CONNECTS_PER_SECOND] [-s SETTLE] [-m MEASURE] [-i] [-z STALLED_PERCENT]
//
// Connects at the given rate, waits SETTLE seconds, prints `measuring`, counts for MEASURE seconds, prints `measured`
// and then one line of `key=value`. The driver reads the server's CPU clock at the two words. Frames are those of
// frames.h: lost, doubled and altered ones are counted for each listener, and whether it began on a frame.
// -i asks for ICY titles. -z lets that share of the listeners send a request and then never read.
#define _GNU_SOURCE
#include "frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 512, READ = 256 << 10, HEAD_ROOM = 2048, KNOWN = 8192, BINS = 60000 };

enum state { UNUSED, CONNECTING, IN_HEAD, PLAYING, STALLED, FAILED };

struct listener {
    int fd;
    enum state state;
    char *head;  // while the head is read
    int head_length;
    int metaint, until_block, block_left, titles;
    int misaligned;
    int part_length;
    uint8_t part[FRAME_BYTES];
    int64_t expected;
    int64_t asked, last, gap, first_byte;
    int64_t lost, doubled, altered, stray, frames, bytes, reads;
};

static struct listener *all;
static int wanted, opened, poller, port, asks_titles, stalled_percent;
static const char *mount;
static double rate = 1000, settle = 3, measure = 10;
static int measuring;
static uint8_t known[KNOWN][FRAME_BYTES];
static int64_t known_number[KNOWN];
static int64_t age_bins[BINS];

static void count_age(int64_t made, int64_t now) {
    if (!measuring) return;
    int64_t ms = (now - made) / 1000000;
    age_bins[ms < 0 ? 0 : ms >= BINS ? BINS - 1 : ms]++;
}

/// The frame as the first listener got it, if it was right in itself.
static int is_right(const uint8_t *frame, int64_t number) {
    uint8_t *copy = known[number % KNOWN];
    if (known_number[number % KNOWN] != number) {
        uint8_t right[FRAME_BYTES];
        int64_t made = frame_hex(frame + FRAME_TIME_AT);
        if (made < 0) return 0;
        frame_make(right, number, made);
        if (memcmp(right, frame, FRAME_BYTES) != 0) return 0;
        memcpy(copy, frame, FRAME_BYTES);
        known_number[number % KNOWN] = number;
    }
    return memcmp(copy, frame, FRAME_BYTES) == 0;
}

static void whole_frame(struct listener *l, const uint8_t *frame, int64_t now) {
    int64_t number = frame_begins(frame) ? frame_hex(frame + FRAME_NUMBER_AT) : -1;
    if (number < 0 || !is_right(frame, number)) { l->altered++; return; }
    l->frames++;
    if (l->expected >= 0 && number > l->expected) l->lost += number - l->expected;
    if (l->expected >= 0 && number < l->expected) l->doubled++;
    l->expected = number + 1;
    count_age(frame_hex(frame + FRAME_TIME_AT), now);
}

/// Audio without metadata, in pieces of any size.
static void audio(struct listener *l, const uint8_t *bytes, int length, int64_t now) {
    while (length > 0) {
        if (l->part_length == 0 && length >= FRAME_BYTES && frame_begins(bytes)) {
            whole_frame(l, bytes, now);
            bytes += FRAME_BYTES;
            length -= FRAME_BYTES;
            continue;
        }
        l->part[l->part_length++] = *bytes++;
        length--;
        static const uint8_t header[4] = {0xFF, 0xFB, 0x94, 0x64};
        if (l->part_length <= 4 && memcmp(l->part, header, (size_t)l->part_length) != 0) {
            // Between frames: before the first it began in the middle of one, after it a byte too many.
            if (l->frames == 0) l->misaligned = 1; else l->stray++;
            l->part_length = 0;
        } else if (l->part_length == FRAME_BYTES) {
            whole_frame(l, l->part, now);
            l->part_length = 0;
        }
    }
}

static void body(struct listener *l, const uint8_t *bytes, int length, int64_t now) {
    if (l->first_byte == 0) l->first_byte = now;
    else if (measuring && now - l->last > l->gap) l->gap = now - l->last;
    l->last = now;
    if (measuring) l->bytes += length, l->reads++;
    while (length > 0) {
        int take = length;
        if (l->metaint > 0 && l->block_left > 0) {
            if (take > l->block_left) take = l->block_left;
            l->block_left -= take;
        } else if (l->metaint > 0 && l->until_block == 0) {
            take = 1;
            l->block_left = 16 * *bytes;
            l->titles += *bytes > 0;
            l->until_block = l->metaint;
        } else {
            if (l->metaint > 0 && take > l->until_block) take = l->until_block;
            l->until_block -= take;
            audio(l, bytes, take, now);
        }
        bytes += take;
        length -= take;
    }
}

static void fail(struct listener *l) {
    close(l->fd);
    l->state = FAILED;
}

static void head_bytes(struct listener *l, const uint8_t *bytes, int length, int64_t now) {
    int take = length < HEAD_ROOM - 1 - l->head_length ? length : HEAD_ROOM - 1 - l->head_length;
    memcpy(l->head + l->head_length, bytes, (size_t)take);
    l->head[l->head_length + take] = 0;
    char *end = strstr(l->head, "\r\n\r\n");
    if (!end) {
        l->head_length += take;
        if (l->head_length >= HEAD_ROOM - 1) fail(l);
        return;
    }
    if (!strstr(l->head, " 200 ")) return fail(l);
    char *interval = strcasestr(l->head, "icy-metaint:");
    l->metaint = interval && interval < end ? atoi(interval + 12) : 0;
    l->until_block = l->metaint;
    int used = (int)(end + 4 - l->head) - l->head_length;
    free(l->head);
    l->head = NULL;
    l->state = PLAYING;
    if (length > used) body(l, bytes + used, length - used, now);
}

static void request(struct listener *l) {
    char text[512];
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.0\r\nHost: 127.0.0.1:%d\r\nUser-Agent: relay-load\r\n%s\r\n",
        mount, port, asks_titles ? "Icy-MetaData: 1\r\n" : "");
    if (send(l->fd, text, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT) != length) return fail(l);
    int index = (int)(l - all);
    if (index % 100 < stalled_percent) {
        // Never reads: out of the poll, its socket fills up.
        epoll_ctl(poller, EPOLL_CTL_DEL, l->fd, NULL);
        l->state = STALLED;
        return;
    }
    l->state = IN_HEAD;
    l->head = malloc(HEAD_ROOM);
}

static void ready(struct listener *l, uint32_t events) {
    static uint8_t buffer[READ];
    if (l->state == CONNECTING) {
        if (events & (EPOLLERR | EPOLLHUP)) return fail(l);
        if (events & EPOLLOUT) request(l);
    }
    if (!(events & EPOLLIN) && !(events & (EPOLLERR | EPOLLHUP))) return;
    while (l->state == IN_HEAD || l->state == PLAYING) {
        ssize_t got = recv(l->fd, buffer, READ, MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) return fail(l);
        int64_t now = now_nanoseconds();
        if (l->state == IN_HEAD) head_bytes(l, buffer, (int)got, now);
        else body(l, buffer, (int)got, now);
        if (got < READ) return;
    }
}

static void open_one(void) {
    struct listener *l = &all[opened++];
    l->expected = -1;
    l->asked = now_nanoseconds();
    l->state = CONNECTING;
    l->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (l->fd < 0 || (connect(l->fd, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)) return fail(l);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.u32 = (uint32_t)(opened - 1)};
    epoll_ctl(poller, EPOLL_CTL_ADD, l->fd, &event);
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static double percentile(int64_t *values, int count, double share) {
    if (count == 0) return -1;
    qsort(values, (size_t)count, sizeof *values, by_value);
    int index = (int)(share * (count - 1) + 0.5);
    return (double)values[index] / 1e6;
}

static double age(double share) {
    int64_t total = 0, seen = 0;
    for (int i = 0; i < BINS; i++) total += age_bins[i];
    for (int i = 0; i < BINS; i++)
        if ((seen += age_bins[i]) > 0 && (double)seen >= share * (double)total) return i;
    return -1;
}

static void report(double seconds, int64_t all_playing) {
    int64_t *first = calloc((size_t)wanted, sizeof *first), *gaps = calloc((size_t)wanted, sizeof *gaps);
    int playing = 0, answered = 0, stalled = 0, failed = 0, misaligned = 0, titled = 0;
    int64_t lost = 0, doubled = 0, altered = 0, stray = 0, bytes = 0, reads = 0;
    for (int i = 0; i < wanted; i++) {
        struct listener *l = &all[i];
        failed += l->state == FAILED;
        stalled += l->state == STALLED;
        if (l->first_byte) first[answered++] = l->first_byte - l->asked;
        if (l->state != PLAYING || !l->frames) continue;
        gaps[playing++] = l->gap;
        titled += l->titles > 0;
        misaligned += l->misaligned;
        lost += l->lost, doubled += l->doubled, altered += l->altered, stray += l->stray;
        bytes += l->bytes, reads += l->reads;
    }
    double per = playing ? seconds * playing : 1;
    printf("listeners=%d playing=%d failed=%d stalled=%d lost=%lld doubled=%lld altered=%lld stray=%lld misaligned=%d "
           "titled=%d bytes_per_second=%.0f reads_per_second=%.2f ttfb_p50=%.1f ttfb_p99=%.1f ttfb_max=%.1f "
           "gap_p50=%.0f gap_p99=%.0f age_p50=%.0f age_p99=%.0f all_playing_ms=%.0f seconds=%.3f\n",
        wanted, playing, failed, stalled, (long long)lost, (long long)doubled, (long long)altered, (long long)stray,
        misaligned, titled, (double)bytes / per, (double)reads / per, percentile(first, answered, 0.5),
        percentile(first, answered, 0.99), percentile(first, answered, 1), percentile(gaps, playing, 0.5),
        percentile(gaps, playing, 0.99), age(0.5), age(0.99), (double)all_playing / 1e6, seconds);
}

/// When the last of those that play got its first byte, from the first request on; 0 while somebody still waits.
static int64_t all_playing_after(void) {
    int64_t last = 0;
    for (int i = 0; i < wanted; i++) {
        if (all[i].state == STALLED || all[i].state == FAILED) continue;
        if (!all[i].first_byte) return 0;
        if (all[i].first_byte > last) last = all[i].first_byte;
    }
    return last - all[0].asked;
}

static void options(int argc, char **argv) {
    for (int option; (option = getopt(argc, argv, "r:s:m:iz:")) != -1;) {
        if (option == 'r') rate = atof(optarg);
        if (option == 's') settle = atof(optarg);
        if (option == 'm') measure = atof(optarg);
        if (option == 'i') asks_titles = 1;
        if (option == 'z') stalled_percent = atoi(optarg);
    }
    if (argc - optind != 3) {
        fprintf(stderr, "usage: load [-r RATE] [-s SETTLE] [-m MEASURE] [-i] [-z PERCENT] PORT MOUNT LISTENERS\n");
        exit(64);
    }
    port = atoi(argv[optind]), mount = argv[optind + 1], wanted = atoi(argv[optind + 2]);
}

int main(int argc, char **argv) {
    options(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    all = calloc((size_t)wanted, sizeof *all);
    for (int i = 0; i < KNOWN; i++) known_number[i] = -1;
    poller = epoll_create1(EPOLL_CLOEXEC);
    int64_t start = now_nanoseconds(), begun = 0;
    for (;;) {
        int64_t now = now_nanoseconds();
        double since = (double)(now - start) / 1e9;
        while (opened < wanted && opened < (int)(since * rate) + 1) open_one();
        if (!measuring && since > wanted / rate + settle) {
            measuring = 1, begun = now;
            printf("measuring\n"), fflush(stdout);
        }
        if (measuring && (double)(now - begun) / 1e9 > measure) break;
        struct epoll_event events[EVENTS];
        int count = epoll_wait(poller, events, EVENTS, opened < wanted ? 1 : 20);
        for (int i = 0; i < count; i++) ready(&all[events[i].data.u32], events[i].events);
    }
    printf("measured\n"), fflush(stdout);
    report((double)(now_nanoseconds() - begun) / 1e9, all_playing_after());
}
