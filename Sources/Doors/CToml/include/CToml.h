// toml++ behind extern "C": a document as a flat list of nodes, each with the place it was written at.
#ifndef AIRCHECK_CTOML_H
#define AIRCHECK_CTOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum aircheck_toml_kind {
    AIRCHECK_TOML_TABLE = 0,
    AIRCHECK_TOML_ARRAY = 1,
    AIRCHECK_TOML_STRING = 2,
    AIRCHECK_TOML_INTEGER = 3,
    AIRCHECK_TOML_REAL = 4,
    AIRCHECK_TOML_BOOLEAN = 5,
    /// A date, a time or both, as text.
    AIRCHECK_TOML_MOMENT = 6
};

/// One node, in preorder: a table or array is followed by its `children`, each with all of its own.
struct aircheck_toml_node {
    int32_t kind;
    uint32_t children;
    /// Where the value starts, and where its key does (0 in arrays and at the top).
    uint32_t line, column, key_line, key_column;
    const char *key;
    size_t key_length;
    const char *text;
    size_t text_length;
    int64_t integer;
    double real;
};

struct aircheck_toml_document;

/// Parses UTF-8 text. Never NULL but for want of memory; the caller frees it.
struct aircheck_toml_document *aircheck_toml_parse(const char *text, size_t length);
void aircheck_toml_free(struct aircheck_toml_document *document);

/// What was wrong, or NULL for a sound document; then the place, counted from 1.
const char *aircheck_toml_error(const struct aircheck_toml_document *document);
uint32_t aircheck_toml_error_line(const struct aircheck_toml_document *document);
uint32_t aircheck_toml_error_column(const struct aircheck_toml_document *document);

/// The nodes of a sound document; they and their texts live as long as the document.
const struct aircheck_toml_node *aircheck_toml_nodes(const struct aircheck_toml_document *document);
size_t aircheck_toml_node_count(const struct aircheck_toml_document *document);

#ifdef __cplusplus
}
#endif

#endif
