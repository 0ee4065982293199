internal import Platform

extension ScheduleMachine {
    /// Whether `plan` is to be called before the next `look`: there is no plan, it is old, or the clock was set.
    package func needsPlan(at moment: Moment) -> Bool {
        guard let plannedAt, let last else { return true }
        return moment.clock.seconds(since: plannedAt.clock) >= Self.planSeconds
            || abs(moment.step(since: last)) > Self.stepSeconds
    }

    /// Takes the entries as they are now, works out when they happen, and looks.
    package mutating func plan(_ all: [ScheduleEntry], zones: Zones, at moment: Moment) -> [Action] {
        entries = Dictionary(all.map { ($0.id, $0) }) { $1 }
        problems = [:]
        plan = []
        for entry in all where entry.isEnabled {
            do throws(ScheduleMistake) {
                plan += try occurrences(of: entry, zones, at: moment)
            } catch {
                problems[entry.id] = error.description
            }
        }
        plan.sort { ($0.from, $0.key) < ($1.from, $1.key) }
        warmed.formIntersection(plan.map(\.key))
        plannedAt = moment
        var actions: [Action] = []
        for key in running.keys.sorted() { actions += adjust(key, zones, at: moment) }
        return actions + look(at: moment)
    }

    private func occurrences(
        of entry: ScheduleEntry, _ zones: Zones, at moment: Moment
    ) throws(ScheduleMistake) -> [Occurrence] {
        // An entry cannot be newer than now: it was made when the clock was ahead.
        let since = min(entry.since, moment.wall)
        let first = max(since, moment.wall.advanced(bySeconds: -Self.back))
        return try Occurrences(entry, in: try zones.zone(entry.zone))
            .between(first, moment.wall.advanced(bySeconds: Self.ahead))
    }

    /// What runs follows its entry: a new end counts, and without the entry it ends.
    private mutating func adjust(_ key: String, _ zones: Zones, at moment: Moment) -> [Action] {
        guard var record = records[key], running[key]?.isEnding == false else { return [] }
        guard let entry = entries[record.entry], entry.isEnabled else {
            return end(key, &record, why: "ended early: the schedule was taken away")
        }
        guard problems[entry.id] == nil, let zone = try? zones.zone(entry.zone),
            let found = try? Occurrences(entry, in: zone).between(record.start, record.start)
        else { return [] }
        guard let occurrence = found.first(where: { $0.key == key }) else {
            return end(key, &record, why: "ended early: the schedule was changed")
        }
        guard occurrence.to != record.to else { return [] }
        record.end = occurrence.end
        record.to = occurrence.to
        records[key] = record
        let end = deadline(record, at: moment)
        running[key]?.deadline = end
        return [.keep(record)]
    }

    private mutating func end(_ key: String, _ record: inout OccurrenceRecord, why: String) -> [Action] {
        record.add(reason: why)
        records[key] = record
        running[key]?.isEnding = true
        return [.keep(record), .stop(record)]
    }

    func deadline(_ record: OccurrenceRecord, at moment: Moment) -> MonotonicTime? {
        record.to.map {
            moment.clock.advanced(bySeconds: $0.secondsSince1970 - moment.wall.secondsSince1970)
        }
    }
}
