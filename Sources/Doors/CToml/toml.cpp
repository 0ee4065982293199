#include "include/CToml.h"

// Errors are values here: no exception may cross into C.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 1
// Values nest as deep as a reader of ours will follow; the parser recurses once for each level.
#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>

#include <deque>
#include <new>
#include <sstream>
#include <string>
#include <vector>

struct aircheck_toml_document {
    std::string error;
    uint32_t error_line = 0;
    uint32_t error_column = 0;
    std::vector<aircheck_toml_node> nodes;
    // A deque never moves what it holds, so the nodes may point into it.
    std::deque<std::string> texts;
};

namespace {

const std::string &keep(aircheck_toml_document &document, std::string text) {
    return document.texts.emplace_back(std::move(text));
}

void set_text(aircheck_toml_document &document, aircheck_toml_node &node, std::string text) {
    const std::string &kept = keep(document, std::move(text));
    node.text = kept.data();
    node.text_length = kept.size();
}

template <typename Value> std::string spelled(const Value &value) {
    std::ostringstream stream;
    stream << value;
    return stream.str();
}

void set_value(aircheck_toml_document &document, aircheck_toml_node &node, const toml::node &value) {
    if (const auto *text = value.as_string()) {
        node.kind = AIRCHECK_TOML_STRING;
        set_text(document, node, text->get());
    } else if (const auto *whole = value.as_integer()) {
        node.kind = AIRCHECK_TOML_INTEGER;
        node.integer = whole->get();
    } else if (const auto *real = value.as_floating_point()) {
        node.kind = AIRCHECK_TOML_REAL;
        node.real = real->get();
    } else if (const auto *truth = value.as_boolean()) {
        node.kind = AIRCHECK_TOML_BOOLEAN;
        node.integer = truth->get() ? 1 : 0;
    } else if (const auto *date = value.as_date()) {
        node.kind = AIRCHECK_TOML_MOMENT;
        set_text(document, node, spelled(date->get()));
    } else if (const auto *time = value.as_time()) {
        node.kind = AIRCHECK_TOML_MOMENT;
        set_text(document, node, spelled(time->get()));
    } else if (const auto *moment = value.as_date_time()) {
        node.kind = AIRCHECK_TOML_MOMENT;
        set_text(document, node, spelled(moment->get()));
    }
}

void add(aircheck_toml_document &document, const toml::node &value, const toml::key *key) {
    aircheck_toml_node node = {};
    node.line = value.source().begin.line;
    node.column = value.source().begin.column;
    if (key) {
        const std::string &kept = keep(document, std::string(key->str()));
        node.key = kept.data();
        node.key_length = kept.size();
        node.key_line = key->source().begin.line;
        node.key_column = key->source().begin.column;
    }
    if (const auto *table = value.as_table()) {
        node.kind = AIRCHECK_TOML_TABLE;
        node.children = static_cast<uint32_t>(table->size());
        document.nodes.push_back(node);
        for (const auto &[name, child] : *table) add(document, child, &name);
    } else if (const auto *array = value.as_array()) {
        node.kind = AIRCHECK_TOML_ARRAY;
        node.children = static_cast<uint32_t>(array->size());
        document.nodes.push_back(node);
        for (const auto &child : *array) add(document, child, nullptr);
    } else {
        set_value(document, node, value);
        document.nodes.push_back(node);
    }
}

} // namespace

extern "C" {

struct aircheck_toml_document *aircheck_toml_parse(const char *text, size_t length) {
    auto *document = new (std::nothrow) aircheck_toml_document;
    if (!document) return nullptr;
    toml::parse_result result = toml::parse(std::string_view(text, length));
    if (result) {
        add(*document, result.table(), nullptr);
    } else {
        document->error = std::string(result.error().description());
        document->error_line = result.error().source().begin.line;
        document->error_column = result.error().source().begin.column;
    }
    return document;
}

void aircheck_toml_free(struct aircheck_toml_document *document) { delete document; }

const char *aircheck_toml_error(const struct aircheck_toml_document *document) {
    return document->error_line == 0 && document->error.empty() ? nullptr : document->error.c_str();
}
uint32_t aircheck_toml_error_line(const struct aircheck_toml_document *document) { return document->error_line; }
uint32_t aircheck_toml_error_column(const struct aircheck_toml_document *document) { return document->error_column; }

const struct aircheck_toml_node *aircheck_toml_nodes(const struct aircheck_toml_document *document) {
    return document->nodes.data();
}
size_t aircheck_toml_node_count(const struct aircheck_toml_document *document) { return document->nodes.size(); }
}
