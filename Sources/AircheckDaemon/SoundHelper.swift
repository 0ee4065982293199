internal import MediaHelper
internal import Platform
package import Recording

/// Decoded sound for whoever cuts tracks.
package enum SoundHelper {
    /// By `aircheck-media`; nil where that is not installed, and cuts are made where the titles say.
    package static func source() -> (any SoundSource)? {
        do {
            return DecodedSound(MediaWorker(binary: try HelperBinary.find()))
        } catch {
            Log.warning(
                "recording", "tracks are cut at their titles, without listening", ["reason": "\(error)"])
            return nil
        }
    }
}
