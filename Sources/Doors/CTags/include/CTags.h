// TagLib behind plain C: it renders and reads ID3v2.4 frames and never touches a file.
#ifndef AIRCHECK_CTAGS_H
#define AIRCHECK_CTAGS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One frame: `TIT2`, `TPE1`, `WORS`, `COMM`, or `TXXX:name`. The value is UTF-8.
typedef struct {
    const char *name;
    const char *value;
} aircheck_tag_field;

/// A picture of the front cover; no bytes, no picture.
typedef struct {
    const char *media_type;
    const uint8_t *bytes;
    size_t length;
} aircheck_tag_picture;

/// One chapter; the title is UTF-8.
typedef struct {
    uint32_t start_milliseconds;
    uint32_t end_milliseconds;
    const char *title;
} aircheck_tag_chapter;

/// Renders the frames of an ID3v2.4 tag, without its header and padding. Chapters get a table of contents; beyond 255
/// the table is nested, since one counts its entries in a byte.
/// Returns bytes to be given to `aircheck_tag_free`, or NULL when there is no memory.
uint8_t *aircheck_tag_render(
    const aircheck_tag_field *fields, size_t field_count, aircheck_tag_picture picture,
    const aircheck_tag_chapter *chapters, size_t chapter_count, size_t *length);
void aircheck_tag_free(uint8_t *bytes);

/// Called for each frame: fields with their name and value, chapters as `CHAP` with the title as the value.
typedef void (*aircheck_tag_visitor)(
    void *context, const char *name, const char *value, uint32_t start_milliseconds, uint32_t end_milliseconds);

/// Reads a whole ID3v2 tag, header included. Returns 0, or -1 where there is none.
int aircheck_tag_read(const uint8_t *bytes, size_t length, aircheck_tag_visitor visit, void *context);

#ifdef __cplusplus
}
#endif

#endif
