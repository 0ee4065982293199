internal import StreamFormats

/// The file by which an Avahi daemon tells the house where the service is. Avahi reads it from its services folder by
/// itself; nothing of ours has to run for it.
package enum AvahiServices {
    /// Where Avahi looks.
    package static let folder = "/etc/avahi/services"
    package static let fileName = "aircheck.service"

    /// - Parameters:
    ///   - port: of the mounts.
    ///   - mpdPort: of the MPD protocol, where it is open to others.
    package static func text(port: Int, mpdPort: Int? = nil) -> String {
        var text = """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
            <service-group>
              <name replace-wildcards="yes">aircheck on %h</name>
              <service>
                <type>_http._tcp</type>
                <port>\(port)</port>
                <txt-record>path=/</txt-record>
              </service>

            """
        if let mpdPort {
            text += """
                  <service>
                    <type>_mpd._tcp</type>
                    <port>\(mpdPort)</port>
                  </service>

                """
        }
        return text + "</service-group>\n"
    }
}
