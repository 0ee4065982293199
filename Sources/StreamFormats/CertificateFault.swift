/// What may be wrong with a server's certificate, and be forgiven for one station by its owner: exactly that, nothing else.
package enum CertificateFault: String, Sendable, Hashable, CaseIterable {
    /// It has expired, or is not valid yet.
    case expired
    /// It is signed by itself.
    case selfSigned = "self-signed"
    /// Its issuer is unknown: a private authority, or a certificate is missing between it and a known one.
    case unknownIssuer = "unknown-issuer"
    /// It is for another name.
    case otherName = "other-name"
}
