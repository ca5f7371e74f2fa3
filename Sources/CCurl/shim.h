#ifndef SLUICE_CCURL_SHIM_H
#define SLUICE_CCURL_SHIM_H
#include <curl/curl.h>

// What Swift cannot import: variadic functions, the union in CURLMsg, cast macros.
// One line each; no decisions here. The name says the type that libcurl reads.

static inline CURLcode sluice_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode sluice_set_string(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode sluice_set_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode sluice_set_url(CURL *h, CURLU *v) { return curl_easy_setopt(h, CURLOPT_CURLU, v); }
static inline CURLcode sluice_set_body(CURL *h, const void *v, long n) { return curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE, n) ? CURLE_BAD_FUNCTION_ARGUMENT : curl_easy_setopt(h, CURLOPT_COPYPOSTFIELDS, v); }
static inline CURLcode sluice_set_list(CURL *h, CURLoption o, struct curl_slist *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode sluice_set_write(CURL *h, CURLoption o, curl_write_callback f) { return curl_easy_setopt(h, o, f); }
static inline CURLcode sluice_set_close(CURL *h, curl_closesocket_callback f) { return curl_easy_setopt(h, CURLOPT_CLOSESOCKETFUNCTION, f); }
static inline CURLcode sluice_set_opened(CURL *h, curl_sockopt_callback f) { return curl_easy_setopt(h, CURLOPT_SOCKOPTFUNCTION, f); }
static inline CURLcode sluice_set_open(CURL *h, curl_opensocket_callback f) { return curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, f); }
static inline CURLcode sluice_set_context(CURL *h, curl_ssl_ctx_callback f) { return curl_easy_setopt(h, CURLOPT_SSL_CTX_FUNCTION, f); }
static inline CURLcode sluice_set_before_request(CURL *h, curl_prereq_callback f) { return curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, f); }
static inline CURLcode sluice_set_debug(CURL *h, curl_debug_callback f) { return curl_easy_setopt(h, CURLOPT_DEBUGFUNCTION, f); }
static inline CURLcode sluice_get_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode sluice_get_offset(CURL *h, CURLINFO i, curl_off_t *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode sluice_get_string(CURL *h, CURLINFO i, char **v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode sluice_get_list(CURL *h, CURLINFO i, struct curl_slist **v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode sluice_get_tls(CURL *h, struct curl_tlssessioninfo **v) { return curl_easy_getinfo(h, CURLINFO_TLS_SSL_PTR, v); }
static inline CURLcode sluice_get_private(CURL *h, void **v) { return curl_easy_getinfo(h, CURLINFO_PRIVATE, (char **)v); }
static inline CURLMcode sluice_multi_set_long(CURLM *m, CURLMoption o, long v) { return curl_multi_setopt(m, o, v); }
static inline CURLMcode sluice_multi_set_pointer(CURLM *m, CURLMoption o, void *v) { return curl_multi_setopt(m, o, v); }
static inline CURLMcode sluice_multi_set_socket(CURLM *m, curl_socket_callback f) { return curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, f); }
static inline CURLMcode sluice_multi_set_timer(CURLM *m, curl_multi_timer_callback f) { return curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, f); }
static inline CURLSHcode sluice_share_set_data(CURLSH *s, CURLSHoption o, curl_lock_data v) { return curl_share_setopt(s, o, v); }
static inline CURLcode sluice_message_result(const CURLMsg *m) { return m->data.result; }
static inline long sluice_auth_basic(void) { return CURLAUTH_BASIC; }
static inline long sluice_auth_digest(void) { return CURLAUTH_DIGEST; }
static inline int sluice_pause_reading(void) { return CURLPAUSE_RECV; }
static inline int sluice_pause_nothing(void) { return CURLPAUSE_CONT; }
static inline size_t sluice_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }

#endif
