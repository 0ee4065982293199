/// What the door keeps of one client. Touched on the door's thread only.
final class MPDClient {
    let number: Int
    /// The address that wrong passwords are counted by.
    let peer: String
    var permissions: MPDPermissions
    var tags = MPDTagSet()
    /// Bytes of a picture in one answer.
    var binaryLimit = 8192
    /// What has changed since it was last told.
    var pending: MPDSubsystems = []
    var channels: Set<String> = []
    var messages: [(channel: String, text: String)] = []

    init(number: Int, peer: String, permissions: MPDPermissions) {
        self.number = number
        self.peer = peer
        self.permissions = permissions
    }
}
