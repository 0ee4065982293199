import Cryptography
import Testing

@Suite("Cryptography")
struct CryptographyTests {
    @Test(
        "SHA-256 gives the digests of FIPS 180-4's examples",
        arguments: [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ])
    func digests(text: String, expected: String) {
        #expect(SHA256.hex(Array(text.utf8)) == expected)
    }

    @Test("hexadecimal comes back as it went, and rubbish is refused")
    func hexadecimal() {
        #expect(Hexadecimal.bytes("00fF10") == [0, 255, 16])
        #expect(Hexadecimal.text([0, 255, 16]) == "00ff10")
        #expect(Hexadecimal.bytes("0") == nil)
        #expect(Hexadecimal.bytes("0g") == nil)
    }

    @Test("AES-128-CBC decrypts what openssl encrypted, and refuses a wrong key")
    func decryption() {
        // printf 'live radio' | openssl enc -aes-128-cbc -K 000102030405060708090a0b0c0d0e0f -iv 0...0
        let key = (0..<16).map(UInt8.init)
        let cipher = Hexadecimal.bytes("d7829f3ecd712fa54d95d15c1d37691a") ?? []
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(AES128CBC.decrypt(cipher, key: key, initialVector: zeros) == Array("live radio".utf8))
        #expect(AES128CBC.decrypt(cipher, key: zeros, initialVector: zeros) == nil)
        #expect(AES128CBC.decrypt(cipher, key: [1], initialVector: zeros) == nil)
    }

    @Test("two secrets differ, and comparing sees one different bit")
    func secrets() {
        let secret = Secrets.random(32)
        #expect(secret != Secrets.random(32))
        var other = secret
        other[31] ^= 1
        #expect(Secrets.areEqual(secret, secret))
        #expect(!Secrets.areEqual(secret, other))
        #expect(!Secrets.areEqual(secret, Array(secret.dropLast())))
    }
}
