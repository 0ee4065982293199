/// Days of the Gregorian calendar by number, before and after 1970 alike.
package enum CivilDay {
    /// Days since 1970-01-01. Counted in whole cycles of 400 years (146097 days) and in years that begin in March, so
    /// that 29 February is the last day. `day` may lie outside its month and counts on from there.
    package static func number(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let cycle = floorQuotient(marchYear, 400)
        let yearOfCycle = marchYear - cycle * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - 719_468
    }

    /// The way back.
    package static func date(_ number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let cycle = floorQuotient(shifted, 146_097)
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// 0 is Monday.
    package static func weekday(_ number: Int64) -> Int { Int(floorRemainder(number + 3, 7)) }

    package static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        return number(year: next.0, month: next.1, day: 1) - number(year: year, month: month, day: 1)
    }

    /// Division that rounds down, as days and seconds before 1970 need it.
    package static func floorQuotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// What `floorQuotient` leaves: 0 and more, less than `divisor`.
    package static func floorRemainder(_ number: Int64, _ divisor: Int64) -> Int64 {
        number - floorQuotient(number, divisor) * divisor
    }
}
