// libcurl, with one plain function per argument type for its variadic calls, and its message union opened.
#ifndef AIRCHECK_CCURL_H
#define AIRCHECK_CCURL_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/socket.h>

// Callbacks run on libcurl's caller thread and belong to no actor; Swift is told so.
#define AIRCHECK_SENDABLE __attribute__((swift_attr("@Sendable")))

typedef size_t (*aircheck_curl_body_callback)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*aircheck_curl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*aircheck_curl_watch)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*aircheck_curl_timer)(CURLM *multi, long milliseconds, void *context);

static inline CURLcode aircheck_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode aircheck_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode aircheck_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
/// CURLOPT_WRITEFUNCTION with its CURLOPT_WRITEDATA.
static inline CURLcode aircheck_curl_set_body_callback(
    CURL *handle, aircheck_curl_body_callback AIRCHECK_SENDABLE callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
    return code ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}
/// CURLOPT_READFUNCTION with its CURLOPT_READDATA.
static inline CURLcode aircheck_curl_set_read_callback(
    CURL *handle, aircheck_curl_body_callback AIRCHECK_SENDABLE callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, callback);
    return code ? code : curl_easy_setopt(handle, CURLOPT_READDATA, context);
}
/// What CURLOPT_READFUNCTION returns when there is nothing to send for now.
static const size_t aircheck_curl_read_pause = CURL_READFUNC_PAUSE;
/// CURLOPT_HEADERFUNCTION with its CURLOPT_HEADERDATA.
static inline CURLcode aircheck_curl_set_header_callback(
    CURL *handle, aircheck_curl_body_callback AIRCHECK_SENDABLE callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callback);
    return code ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}
/// CURLOPT_OPENSOCKETFUNCTION with its CURLOPT_OPENSOCKETDATA.
static inline CURLcode aircheck_curl_set_open(CURL *handle, aircheck_curl_open AIRCHECK_SENDABLE callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
    return code ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}
static inline CURLcode aircheck_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode aircheck_curl_get_string(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode aircheck_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode aircheck_curl_multi_watch(
    CURLM *multi, aircheck_curl_watch AIRCHECK_SENDABLE watch, aircheck_curl_timer AIRCHECK_SENDABLE timer, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    if (!code) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (!code) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

/// The next transfer that has ended, or NULL.
static inline CURL *aircheck_curl_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

/// A jar of cookies that several transfers of one thread share.
static inline CURLSH *aircheck_curl_cookie_jar(void) {
    CURLSH *jar = curl_share_init();
    if (jar && curl_share_setopt(jar, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE) != CURLSHE_OK) {
        curl_share_cleanup(jar);
        return NULL;
    }
    return jar;
}

/// Faults of a certificate that may be forgiven; a set of bits.
enum {
    AIRCHECK_FORGIVE_EXPIRED = 1,
    AIRCHECK_FORGIVE_SELF_SIGNED = 2,
    AIRCHECK_FORGIVE_UNKNOWN_ISSUER = 4,
};

/// The bit for what OpenSSL found wrong; 0 for what is never forgiven.
static inline long aircheck_certificate_fault(int error) {
    switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID: return AIRCHECK_FORGIVE_EXPIRED;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return AIRCHECK_FORGIVE_SELF_SIGNED;
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: return AIRCHECK_FORGIVE_UNKNOWN_ISSUER;
    default: return 0;
    }
}

/// OpenSSL: one check of a chain is done; 1 lets it go on.
static inline int aircheck_certificate_checked(int is_good, X509_STORE_CTX *store) {
    if (is_good) return 1;
    SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    long forgiven = ssl ? (long)SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)) : 0;
    if (!(forgiven & aircheck_certificate_fault(X509_STORE_CTX_get_error(store)))) return 0;
    X509_STORE_CTX_set_error(store, X509_V_OK);
    return 1;
}

/// libcurl: a connection's context is about to be used. `context` is the set of bits itself.
static inline CURLcode aircheck_certificate_context(CURL *handle, void *ssl_context, void *context) {
    (void)handle;
    SSL_CTX_set_app_data((SSL_CTX *)ssl_context, context);
    SSL_CTX_set_verify((SSL_CTX *)ssl_context, SSL_VERIFY_PEER, aircheck_certificate_checked);
    return CURLE_OK;
}

/// From now on these faults are forgiven, and those alone. A connection made so is used for nothing else.
static inline CURLcode aircheck_curl_forgive(CURL *handle, long faults) {
    CURLcode code = curl_easy_setopt(
        handle, CURLOPT_SSL_CTX_FUNCTION, faults ? aircheck_certificate_context : (curl_ssl_ctx_callback)NULL);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SSL_CTX_DATA, (void *)faults);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
    return code ? code : curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
}

/// The socket address inside libcurl's own structure, whose field is an array that Swift cannot take the place of.
static inline const struct sockaddr *aircheck_curl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

#endif
