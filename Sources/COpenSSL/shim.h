#ifndef SLUICE_COPENSSL_SHIM_H
#define SLUICE_COPENSSL_SHIM_H
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// What Swift cannot import: macros and the typed stacks, which are macros too.
// One line each; no decisions here. Stacks are passed as plain pointers.

static inline int sluice_stack_count(const void *s) { return OPENSSL_sk_num((const OPENSSL_STACK *)s); }
static inline X509 *sluice_stack_certificate(const void *s, int i) { return (X509 *)OPENSSL_sk_value((const OPENSSL_STACK *)s, i); }
static inline GENERAL_NAME *sluice_stack_name(const void *s, int i) { return (GENERAL_NAME *)OPENSSL_sk_value((const OPENSSL_STACK *)s, i); }
static inline void *sluice_stack_new(void) { return OPENSSL_sk_new_null(); }
static inline void sluice_stack_push(void *s, X509 *c) { OPENSSL_sk_push((OPENSSL_STACK *)s, c); }
static inline void sluice_stack_free(void *s) { OPENSSL_sk_free((OPENSSL_STACK *)s); }
static inline void sluice_certificates_free(void *s) { OPENSSL_sk_pop_free((OPENSSL_STACK *)s, (OPENSSL_sk_freefunc)X509_free); }
static inline void sluice_names_free(void *s) { OPENSSL_sk_pop_free((OPENSSL_STACK *)s, (OPENSSL_sk_freefunc)GENERAL_NAME_free); }
static inline void *sluice_verified_chain(X509_STORE_CTX *c) { return X509_STORE_CTX_get1_chain(c); }
static inline void *sluice_sent_certificates(X509_STORE_CTX *c) { return X509_STORE_CTX_get0_untrusted(c); }
static inline int sluice_store_ctx_init(X509_STORE_CTX *c, X509_STORE *s, X509 *leaf, void *sent) { return X509_STORE_CTX_init(c, s, leaf, (STACK_OF(X509) *)sent); }
static inline void *sluice_alternative_names(const X509 *c) { return X509_get_ext_d2i(c, NID_subject_alt_name, NULL, NULL); }
static inline SSL *sluice_verified_connection(X509_STORE_CTX *c) { return (SSL *)X509_STORE_CTX_get_ex_data(c, SSL_get_ex_data_X509_STORE_CTX_idx()); }
static inline unsigned long sluice_partial_chain(void) { return X509_V_FLAG_PARTIAL_CHAIN; }
static inline unsigned int sluice_name_check_flags(void) { return X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS; }
static inline int sluice_refused(void) { return X509_V_ERR_APPLICATION_VERIFICATION; }
static inline int sluice_general_name_type(const GENERAL_NAME *n) { return n->type; }
static inline const ASN1_STRING *sluice_general_name_text(const GENERAL_NAME *n) { return (const ASN1_STRING *)n->d.ptr; }
static inline int sluice_is_dns(int type) { return type == GEN_DNS; }
static inline int sluice_is_address(int type) { return type == GEN_IPADD; }
static inline int sluice_new_context_index(CRYPTO_EX_free *f) { return CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, NULL, NULL, NULL, f); }
static inline int sluice_set_anchors(SSL_CTX *c, X509_STORE *s) { return (int)SSL_CTX_set1_verify_cert_store(c, s); }
static inline unsigned long long sluice_no_renegotiation(void) { return SSL_OP_NO_RENEGOTIATION; }
// Whether a step of a connection is that the other side closed TLS.
static inline int sluice_is_farewell(int step, int value) { return step == SSL_CB_READ_ALERT && (value & 0xFF) == SSL3_AD_CLOSE_NOTIFY; }
static inline int sluice_keeps_fragments(const SSL_CTX *c) { return (SSL_CTX_get_options(c) & SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS) != 0; }
static inline int sluice_encoded_certificate(X509 *c, unsigned char **p) { return i2d_X509(c, p); }
static inline int sluice_name_text(X509_NAME *n, BIO *b) { return X509_NAME_print_ex(b, n, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB); }
static inline long sluice_bio_bytes(BIO *b, char **p) { return BIO_get_mem_data(b, p); }
static inline int sluice_common_name(X509_NAME *n, char *b, int size) { return X509_NAME_get_text_by_NID(n, NID_commonName, b, size); }
static inline int sluice_is_ec(const EVP_PKEY *k) { return EVP_PKEY_get_base_id(k) == EVP_PKEY_EC; }
static inline int sluice_use_client(SSL_CTX *c, X509 *leaf, EVP_PKEY *k, void *rest) { return SSL_CTX_use_cert_and_key(c, leaf, k, (STACK_OF(X509) *)rest, 1); }
static inline int sluice_is_rsa(const EVP_PKEY *k) { return EVP_PKEY_get_base_id(k) == EVP_PKEY_RSA; }

// For servers and certificates of tests.
static inline EVP_PKEY *sluice_new_key(void) { return EVP_EC_gen("P-256"); }
static inline int sluice_private_key(EVP_PKEY *k, unsigned char **p) { return i2d_PrivateKey(k, p); }
static inline int sluice_add_common_name(X509_NAME *n, const char *t) { return X509_NAME_add_entry_by_NID(n, NID_commonName, MBSTRING_UTF8, (const unsigned char *)t, -1, -1, 0); }
static inline long sluice_add_chain_certificate(SSL_CTX *c, X509 *x) { return SSL_CTX_add1_chain_cert(c, x); }
static inline void sluice_ask_for_client(SSL_CTX *c, int needed) { SSL_CTX_set_verify(c, needed ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT : SSL_VERIFY_PEER, NULL); }
static inline long sluice_set_last_version(SSL_CTX *c, int v) { return SSL_CTX_set_max_proto_version(c, v); }
static inline unsigned long long sluice_forgive_leaving(void) { return SSL_OP_IGNORE_UNEXPECTED_EOF; }
static inline int sluice_tls_1_2(void) { return TLS1_2_VERSION; }
static inline int sluice_tls_1_1(void) { return TLS1_1_VERSION; }
static inline int sluice_name_taken(void) { return SSL_TLSEXT_ERR_OK; }
static inline int sluice_name_ignored(void) { return SSL_TLSEXT_ERR_NOACK; }

#endif
