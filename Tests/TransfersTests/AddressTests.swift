import Testing

@testable import Transfers

@Suite("Where a connection may go")
struct AddressTests {
    @Test(
        "every spelling of an inside address is seen through",
        arguments: [
            ("127.0.0.1", AddressReach.local), ("127.255.0.9", .local), ("10.1.2.3", .local),
            ("172.16.0.1", .local),
            ("172.31.255.255", .local), ("172.32.0.1", .global), ("192.168.1.1", .local),
            ("100.64.0.1", .local),
            ("100.128.0.1", .global), ("169.254.1.1", .local), ("169.254.169.254", .never),
            ("0.0.0.0", .never),
            ("0.1.2.3", .never), ("224.0.0.1", .never), ("239.255.255.255", .never), ("240.0.0.1", .never),
            ("255.255.255.255", .never), ("192.0.2.1", .never), ("198.18.0.1", .local), ("8.8.8.8", .global),
            ("::", .never), ("::1", .local), ("::ffff:127.0.0.1", .local), ("::ffff:8.8.8.8", .global),
            ("::127.0.0.1", .local), ("64:ff9b::7f00:1", .local), ("64:ff9b::808:808", .global),
            ("::ffff:0:10.0.0.1", .local), ("2002:7f00:1::", .local), ("2002:808:808::1", .global),
            ("2001::1", .never), ("2001:db8::1", .never), ("fe80::1", .local), ("fec0::1", .local),
            ("fd00::1", .local),
            ("fc00::1", .local), ("ff02::1", .never), ("2a00:1450::1", .global), ("4000::1", .never),
            ("::ffff:169.254.169.254", .never),
        ])
    func reach(address: String, expected: AddressReach) {
        #expect(PeerAddress.reach(ofText: address) == expected)
    }

    @Test("the internet is open to all, the house only to what the owner typed, some places to nobody")
    func policy() {
        #expect(AddressPolicy.publicOnly.permits(.global))
        #expect(!AddressPolicy.publicOnly.permits(.local))
        #expect(AddressPolicy.allowLocal.permits(.local))
        #expect(!AddressPolicy.allowLocal.permits(.never))
    }
}
