#include "include/CTags.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/commentsframe.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/urllinkframe.h>

namespace {

using namespace TagLib;

// One table of contents counts its entries in one byte.
constexpr size_t entriesPerTable = 255;

String utf8(const char *text) { return String(text, String::UTF8); }

std::unique_ptr<ID3v2::Frame> field(const char *name, const char *value) {
    if (std::strncmp(name, "TXXX:", 5) == 0) {
        auto frame = std::make_unique<ID3v2::UserTextIdentificationFrame>(String::UTF8);
        frame->setDescription(utf8(name + 5));
        frame->setText(utf8(value));
        return frame;
    }
    if (std::strcmp(name, "COMM") == 0) {
        auto frame = std::make_unique<ID3v2::CommentsFrame>(String::UTF8);
        frame->setLanguage("und");
        frame->setText(utf8(value));
        return frame;
    }
    if (name[0] == 'W') {
        auto frame = std::make_unique<ID3v2::UrlLinkFrame>(ByteVector(name, 4));
        frame->setUrl(utf8(value));
        return frame;
    }
    auto frame = std::make_unique<ID3v2::TextIdentificationFrame>(ByteVector(name, 4), String::UTF8);
    frame->setText(utf8(value));
    return frame;
}

// An element's name ends with a zero byte; TagLib wants it there.
ByteVector element(const char *kind, size_t number) {
    const std::string name = kind + std::to_string(number);
    return ByteVector(name.c_str(), static_cast<unsigned int>(name.size() + 1));
}

ByteVector chapter(const aircheck_tag_chapter &entry, size_t number) {
    ID3v2::ChapterFrame frame(
        element("chp", number), entry.start_milliseconds, entry.end_milliseconds, 0xFFFFFFFF, 0xFFFFFFFF);
    frame.addEmbeddedFrame(field("TIT2", entry.title).release());
    return frame.render();
}

ByteVector table(const ByteVector &name, const ByteVectorList &entries, bool isTop) {
    ID3v2::TableOfContentsFrame frame(name, entries);
    frame.setIsTopLevel(isTop);
    frame.setIsOrdered(true);
    return frame.render();
}

// The tables for chapters first..<first + count and, where they are many, the tables above them.
ByteVector tables(size_t chapterCount) {
    ByteVectorList level;
    for (size_t number = 0; number < chapterCount; number++) level.append(element("chp", number));
    ByteVector bytes;
    size_t made = 0;
    while (level.size() > entriesPerTable) {
        ByteVectorList above, part;
        for (const auto &name : level) {
            part.append(name);
            if (part.size() < entriesPerTable) continue;
            above.append(element("toc", ++made));
            bytes.append(table(above.back(), part, false));
            part.clear();
        }
        if (!part.isEmpty()) {
            above.append(element("toc", ++made));
            bytes.append(table(above.back(), part, false));
        }
        level = above;
    }
    bytes.append(table(element("toc", 0), level, true));
    return bytes;
}

ByteVector picture(const aircheck_tag_picture &cover) {
    ID3v2::AttachedPictureFrame frame;
    frame.setMimeType(utf8(cover.media_type));
    frame.setType(ID3v2::AttachedPictureFrame::FrontCover);
    frame.setPicture(ByteVector(reinterpret_cast<const char *>(cover.bytes), static_cast<unsigned int>(cover.length)));
    return frame.render();
}

void visitText(const ID3v2::Frame &frame, aircheck_tag_visitor visit, void *context) {
    std::string name(frame.frameID().data(), frame.frameID().size());
    String value = frame.toString();
    if (const auto *text = dynamic_cast<const ID3v2::UserTextIdentificationFrame *>(&frame)) {
        name += ":" + text->description().to8Bit(true);
        const StringList fields = text->fieldList();
        value = fields.size() > 1 ? fields[1] : String();
    }
    visit(context, name.c_str(), value.to8Bit(true).c_str(), 0, 0);
}

void visitChapter(const ID3v2::ChapterFrame &frame, aircheck_tag_visitor visit, void *context) {
    const auto &titles = frame.embeddedFrameList("TIT2");
    const std::string title = titles.isEmpty() ? std::string() : titles.front()->toString().to8Bit(true);
    visit(context, "CHAP", title.c_str(), frame.startTime(), frame.endTime());
}

// TagLib parses whole tags only out of files; frame by frame it takes bytes.
void readFrames(const ByteVector &tag, ID3v2::Header &header, aircheck_tag_visitor visit, void *context) {
    ByteVector data = tag.mid(ID3v2::Header::size(), header.tagSize());
    unsigned int place = 0;
    while (place + ID3v2::Frame::headerSize(header.majorVersion()) < data.size() && data[place] != 0) {
        std::unique_ptr<ID3v2::Frame> frame(
            ID3v2::FrameFactory::instance()->createFrame(data.mid(place), &header));
        if (!frame || frame->size() == 0) return;
        if (const auto *chapter = dynamic_cast<const ID3v2::ChapterFrame *>(frame.get()))
            visitChapter(*chapter, visit, context);
        else
            visitText(*frame, visit, context);
        place += frame->size() + ID3v2::Frame::headerSize(header.majorVersion());
    }
}

}  // namespace

uint8_t *aircheck_tag_render(
    const aircheck_tag_field *fields, size_t field_count, aircheck_tag_picture cover,
    const aircheck_tag_chapter *chapters, size_t chapter_count, size_t *length) {
    try {
        ByteVector bytes;
        for (size_t i = 0; i < field_count; i++) bytes.append(field(fields[i].name, fields[i].value)->render());
        if (cover.length > 0) bytes.append(picture(cover));
        if (chapter_count > 0) bytes.append(tables(chapter_count));
        for (size_t i = 0; i < chapter_count; i++) bytes.append(chapter(chapters[i], i));
        *length = bytes.size();
        auto *copy = static_cast<uint8_t *>(std::malloc(bytes.isEmpty() ? 1 : bytes.size()));
        if (copy) std::memcpy(copy, bytes.data(), bytes.size());
        return copy;
    } catch (const std::exception &) {
        return nullptr;
    }
}

void aircheck_tag_free(uint8_t *bytes) { std::free(bytes); }

int aircheck_tag_read(const uint8_t *bytes, size_t length, aircheck_tag_visitor visit, void *context) {
    try {
        const ByteVector tag(reinterpret_cast<const char *>(bytes), static_cast<unsigned int>(length));
        if (tag.size() < ID3v2::Header::size() || !tag.startsWith(ID3v2::Header::fileIdentifier())) return -1;
        ID3v2::Header header(tag);
        readFrames(tag, header, visit, context);
        return 0;
    } catch (const std::exception &) {
        return -1;
    }
}
