import Platform
import Testing

@testable import AircheckDaemon

@Suite("Stations that are about to be heard")
struct WarmListTests {
    private let start = ManualTime().now
    private func at(_ seconds: Double) -> MonotonicTime { start.advanced(bySeconds: seconds) }

    @Test("are held from when they are asked for, and longer where they are asked for again")
    func held() {
        var list = WarmList()
        #expect(list.want("a", isConnected: false, at: at(0)) == .hold(dropping: nil))
        #expect(list.want("a", isConnected: true, at: at(WarmList.lasts - 1)) == .kept)
        #expect(list.expire(at: at(WarmList.lasts)) == [])
        #expect(list.expire(at: at(2 * WarmList.lasts - 1)) == ["a"])
        #expect(list.ids == [])
    }

    @Test("are a few at a time: the one that was asked for longest ago is left")
    func few() {
        var list = WarmList()
        for number in 1...WarmList.most {
            #expect(list.want("\(number)", isConnected: false, at: at(0)) == .hold(dropping: nil))
        }
        #expect(list.want("1", isConnected: true, at: at(1)) == .kept)
        #expect(list.want("more", isConnected: false, at: at(1)) == .hold(dropping: "2"))
        #expect(list.ids.count == WarmList.most)
    }

    @Test("are not connected one after another without end; what is received already is held all the same")
    func bounded() {
        var list = WarmList()
        for number in 1...WarmList.mostConnects { _ = list.want("\(number)", isConnected: false, at: at(0)) }
        let before = list.ids
        #expect(list.want("more", isConnected: false, at: at(WarmList.span - 1)) == .declined)
        #expect(list.ids == before)
        #expect(list.want("received", isConnected: true, at: at(WarmList.span - 1)) != .declined)
        #expect(list.want("more", isConnected: false, at: at(WarmList.span)) != .declined)
    }
}
