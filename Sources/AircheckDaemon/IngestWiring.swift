internal import Catalogue
package import Configuration
package import Ingest
internal import Platform
package import Transfers

/// The settings of the configuration as ingest and transfers take them.
package enum IngestWiring {
    package static func engineSettings(_ configuration: Settings) -> TransferEngine.Settings {
        var settings = TransferEngine.Settings()
        settings.userAgent = Product.userAgent
        let suffix = configuration.ingest.userAgentSuffix
        if !suffix.isEmpty { settings.userAgent += " " + suffix }
        settings.connectSeconds = configuration.ingest.connectTimeout.inSeconds
        settings.proxy = configuration.ingest.proxy.isEmpty ? nil : configuration.ingest.proxy
        settings.allowsLocalAddresses = configuration.ingest.allowPrivateAddresses
        return settings
    }

    package static func settings(_ configuration: Settings) -> IngestSettings {
        var settings = IngestSettings()
        settings.linger = configuration.ingest.linger.inSeconds
        settings.stall = configuration.ingest.secondConnection.inSeconds
        settings.stallAlone = configuration.ingest.stall.inSeconds
        settings.longestWait = configuration.ingest.retryMax.inSeconds
        settings.most = configuration.ingest.maxStations
        settings.window.seconds = configuration.window.memory.inSeconds
        settings.window.bytes = configuration.window.memoryBytes
        return settings
    }

    /// Charsets as the facts of the stations keep them.
    static func charsets(_ facts: StationFactBook) -> CharsetMemory {
        CharsetMemory {
            facts.facts(of: $0).charset
        } keep: { station, charset in
            facts.learn(station) { $0.charset = charset }
        }
    }
}

extension Duration {
    /// As a number of seconds.
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
