/// What Windows calls time zones, for calendars that come from there; the most used ones of CLDR's windowsZones.
enum CalendarZones {
    static let windows = [
        "AUS Eastern Standard Time": "Australia/Sydney", "Central Europe Standard Time": "Europe/Budapest",
        "Central European Standard Time": "Europe/Warsaw", "Central Standard Time": "America/Chicago",
        "China Standard Time": "Asia/Shanghai", "E. Europe Standard Time": "Europe/Chisinau",
        "Eastern Standard Time": "America/New_York", "FLE Standard Time": "Europe/Kyiv",
        "GMT Standard Time": "Europe/London", "GTB Standard Time": "Europe/Bucharest",
        "Greenwich Standard Time": "Atlantic/Reykjavik", "India Standard Time": "Asia/Kolkata",
        "Israel Standard Time": "Asia/Jerusalem", "Mountain Standard Time": "America/Denver",
        "New Zealand Standard Time": "Pacific/Auckland", "Pacific Standard Time": "America/Los_Angeles",
        "Romance Standard Time": "Europe/Paris", "Russian Standard Time": "Europe/Moscow",
        "Tokyo Standard Time": "Asia/Tokyo", "Turkey Standard Time": "Europe/Istanbul",
        "UTC": "Etc/UTC", "W. Europe Standard Time": "Europe/Berlin",
    ]
}
