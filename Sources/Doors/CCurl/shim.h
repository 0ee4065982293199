// libcurl, with one plain function per argument type for its variadic calls.
#ifndef AIRCHECK_CCURL_H
#define AIRCHECK_CCURL_H

#include <curl/curl.h>

static inline CURLcode aircheck_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode aircheck_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode aircheck_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode aircheck_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode aircheck_curl_get_string(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}

/// CURLOPT_WRITEFUNCTION with its CURLOPT_WRITEDATA.
typedef size_t (*aircheck_curl_body_callback)(char *data, size_t size, size_t count, void *context);
static inline CURLcode aircheck_curl_set_body_callback(CURL *handle, aircheck_curl_body_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

#endif
