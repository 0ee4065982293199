// A source client as most are: libshout sends a file in real time and says a title.
//   shout HOST PORT MOUNT http|icy FORMAT TITLE < file
#include <shout/shout.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(shout_t *shout, const char *what) {
    fprintf(stderr, "%s: %s\n", what, shout_get_error(shout));
    return 1;
}

int main(int count, char **words) {
    if (count != 7) return 2;
    shout_init();
    shout_t *shout = shout_new();
    int icy = strcmp(words[4], "icy") == 0;
    int format = strcmp(words[5], "ogg") == 0 ? SHOUT_FORMAT_OGG : SHOUT_FORMAT_MP3;
    shout_set_host(shout, words[1]);
    shout_set_port(shout, (unsigned short)atoi(words[2]));
    shout_set_password(shout, "sourcesecret");
    if (!icy) shout_set_mount(shout, words[3]);
    if (!icy) shout_set_user(shout, "source");
    shout_set_protocol(shout, icy ? SHOUT_PROTOCOL_ICY : SHOUT_PROTOCOL_HTTP);
    shout_set_content_format(shout, format, SHOUT_USAGE_AUDIO, NULL);
    shout_set_meta(shout, SHOUT_META_NAME, "Shout Radio");
    shout_set_agent(shout, "shout-test");
    if (shout_open(shout) != SHOUTERR_SUCCESS) return failed(shout, "open");

    unsigned char piece[2048];
    size_t length;
    int said = 0;
    while ((length = fread(piece, 1, sizeof piece, stdin)) > 0) {
        if (shout_send(shout, piece, length) != SHOUTERR_SUCCESS) return failed(shout, "send");
        if (!said && *words[6]) {
            shout_metadata_t *title = shout_metadata_new();
            shout_metadata_add(title, "song", words[6]);
            shout_metadata_add(title, "charset", "UTF-8");
            if (shout_set_metadata_utf8(shout, title) != SHOUTERR_SUCCESS) return failed(shout, "title");
            shout_metadata_free(title);
            said = 1;
        }
        shout_sync(shout);
    }
    shout_close(shout);
    shout_free(shout);
    shout_shutdown();
    puts("sent");
    return 0;
}
