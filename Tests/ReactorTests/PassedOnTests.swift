import CLinux
import Glibc
import Platform
import Testing

@testable import Reactor

@Suite("Sockets for the next program", .serialized)
struct PassedOnTests {
    @Test("one that cannot be passed on is closed, and by nobody else again", .timeLimit(.minutes(1)))
    func closed() async {
        // In a process of its own: no descriptor above 128 may be had, which other tests would mind.
        await #expect(processExitsWith: .success) {
            let number = open("/dev/null", O_RDONLY)
            var limits = rlimit(rlim_cur: 128, rlim_max: 128)
            setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limits)
            let passed = ListeningSockets.passedOn(FileDescriptor(owning: number))
            exit(passed == nil && fcntl(number, F_GETFD) == -1 ? 0 : 1)
        }
    }

    @Test(
        "one that can be lies above the places of the listening sockets, and stays open in the next program")
    func passed() throws {
        let first = ListeningSockets.passedOn(FileDescriptor(owning: open("/dev/null", O_RDONLY)))
        let passed = try #require(first)
        #expect(passed >= 128 && fcntl(passed, F_GETFD) == 0)
        let second = ListeningSockets.passedOn(FileDescriptor(owning: passed))
        let again = try #require(second)
        #expect(again == passed && fcntl(again, F_GETFD) == 0)
        close(again)
    }
}
