// OpenSSL's EVP: SHA-256 for tokens and files, AES-128-CBC for HLS segments (RFC 8216, 4.3.2.4).
#ifndef AIRCHECK_CCRYPTO_H
#define AIRCHECK_CCRYPTO_H

#include <openssl/crypto.h>
#include <openssl/evp.h>

#endif
