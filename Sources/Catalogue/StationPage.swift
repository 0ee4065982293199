/// `docs/stations.md`, made from the table of fields.
package enum StationPage {
    package static var text: String {
        var text = head + "\n| key | kind | what it is | example |\n|---|---|---|---|\n"
        for field in StationField.all {
            text += "| `\(field.key)` | \(field.kind) | \(field.documentation) | `\(field.example)` |\n"
        }
        return text + "\n" + tail
    }

    private static let head = """
        # Station files

        A station file is TOML with one `[[station]]` table for each station. `id`, `name` and `urls` are required:

        ```toml
        [[station]]
        id = "night-drive"
        name = "Night Drive FM"
        urls = ["https://radio.example/live.mp3", "https://backup.radio.example/listen.pls"]
        genre = "jazz"
        country = "DE"
        ```

        A key that does not exist, a value of the wrong kind or out of bounds, and an id that is used twice are errors
        with file, line, column and key: `stations/jazz.toml:7:1: station.bitrates: there is no such key; did you mean
        bitrate?`. A station with a mistake is left out, the others are not. `aircheck config check` reads the station
        files too.

        ## Where files are looked for

        Every `*.toml` file of these folders, in the order of their names, is read; of two stations with one id the
        later one wins:

        1. `../share/aircheck/stations` beside the program, and `/usr/share/aircheck/stations`: what ships with aircheck;
        2. `/etc/aircheck/stations`: the machine's;
        3. `$XDG_CONFIG_HOME/aircheck/stations` (`~/.config/aircheck/stations`): yours;
        4. the folders of `paths.stations` in `aircheck.toml`, in their order.

        Lists of other players in these folders (M3U, PLS, XSPF, OPML) are read as well; their stations get ids made from
        their names.

        The service never writes these files. What the command line and the page change is kept on top of them in the
        database: fields that were edited, stations that were added or removed, favourites, presets, what is hidden. It
        survives a reload; a field that nobody edited goes on following its file. A favourite is kept even when its file
        drops it. `aircheck stations export` writes everything as a file again.

        A reload (SIGHUP, or the reload of the service) reads the files that have changed. Stations that are the same go
        on playing and recording. A file that cannot be read any more keeps the stations it had.

        ## Keys

        """

    private static var tail: String {
        """
        Limits: a file has at most 4 MiB and 20,000 stations, a station 16 addresses of 2,048 bytes.

        ## Ids that are refused

        The first segments of the service's own paths: \(reserved).

        ## Where the stations that ship come from

        Each names its `source`: the package and version of the list it was taken from, addresses unchanged. They are
        marked `verified = false` until `aircheck stations probe` has heard them.

        """
    }

    private static var reserved: String {
        ReservedNames.pathSegments.sorted().map { "`\($0)`" }.joined(separator: ", ")
    }
}
