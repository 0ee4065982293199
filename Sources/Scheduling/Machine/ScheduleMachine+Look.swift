package import Platform

extension ScheduleMachine {
    /// Looks at the clocks. Call it when `nextWake` has come, and after every change of the clock.
    package mutating func look(at moment: Moment) -> [Action] {
        // Nobody's show is at the beginning of 1970: wait until somebody has set the clock.
        guard moment.wall >= Self.earliestWall else { return [] }
        let delay = whyLate(at: moment)
        let isFirst = last == nil
        last = moment
        var actions = isFirst ? takeUp(at: moment) : []
        actions += stopDue(at: moment)
        for occurrence in plan {
            guard occurrence.from.advanced(bySeconds: -Self.warmSeconds) <= moment.wall else { break }
            if records[occurrence.key] == nil { actions += consider(occurrence, delay, at: moment) }
        }
        return actions
    }

    /// When to look again, by the wall clock; nil when there is nothing to wait for.
    package func nextWake(at moment: Moment) -> WallTime? {
        var wakes = running.values.filter { !$0.isEnding }.compactMap(\.deadline)
        wakes += failures.values.map(\.retry)
        var first = wakes.min().map { moment.wall.advanced(bySeconds: $0.seconds(since: moment.clock)) }
        for occurrence in plan where records[occurrence.key] == nil && failures[occurrence.key] == nil {
            let warm = occurrence.from.advanced(bySeconds: -Self.warmSeconds)
            if let first, first < warm { break }
            let wake = warmed.contains(occurrence.key) || warm <= moment.wall ? occurrence.from : warm
            first = min(first ?? wake, wake)
        }
        return first
    }

    // MARK: Beginning

    private mutating func consider(_ occurrence: Occurrence, _ delay: String, at moment: Moment) -> [Action] {
        guard let entry = entries[occurrence.entry] else { return [] }
        guard occurrence.from <= moment.wall else {
            return warmed.insert(occurrence.key).inserted ? [.warm(entry, occurrence)] : []
        }
        let failure = failures[occurrence.key]
        let why = failure?.reason ?? delay
        let end = occurrence.end ?? occurrence.start.advanced(bySeconds: Self.openWindow)
        guard moment.wall < end else { return miss(entry, occurrence, why) }
        if let failure, moment.clock < failure.retry { return [] }
        return begin(entry, occurrence, why, at: moment)
    }

    private mutating func miss(_ entry: ScheduleEntry, _ occurrence: Occurrence, _ why: String) -> [Action] {
        var record = OccurrenceRecord(entry, occurrence, .missed, reason: why)
        record.recordings = failures[record.key]?.recordings ?? []
        if !record.recordings.isEmpty { record.state = .partial }
        records[record.key] = record
        forget(record.key)
        return [.keep(record)]
    }

    private mutating func begin(
        _ entry: ScheduleEntry, _ occurrence: Occurrence, _ why: String, at moment: Moment
    ) -> [Action] {
        var record = OccurrenceRecord(entry, occurrence, .running)
        record.began = moment.wall
        record.recordings = failures[record.key]?.recordings ?? []
        let late = moment.wall.secondsSince1970 - occurrence.start.secondsSince1970
        if late > Self.lateSeconds {
            let cause = entry.since > occurrence.start ? "it was added after its start" : why
            record.reason = "began \(DurationText.text(late)) late: \(cause)"
        }
        records[record.key] = record
        running[record.key] = Running(deadline: deadline(record, at: moment))
        forget(record.key)
        return [.keep(record), .start(entry, record, isAgain: false)]
    }

    private mutating func forget(_ key: String) {
        warmed.remove(key)
        failures[key] = nil
    }

    /// What something that is due only now was waiting for.
    private func whyLate(at moment: Moment) -> String {
        guard let last else { return "the service was not running" }
        let step = moment.step(since: last)
        return step > Self.stepSeconds
            ? "the clock was set forward by \(DurationText.text(step))" : "the machine was asleep"
    }

    // MARK: After a start of the program

    /// What was running when the program ended goes on, if its time is not over.
    private mutating func takeUp(at moment: Moment) -> [Action] {
        var actions: [Action] = []
        for var record in records.values.sorted(by: { $0.key < $1.key }) where record.state == .running {
            guard let entry = entries[record.entry], entry.isEnabled, moment.wall < record.end ?? record.start
            else {
                actions.append(.settle(record))
                continue
            }
            record.add(reason: "interrupted: the service was not running")
            records[record.key] = record
            running[record.key] = Running(deadline: deadline(record, at: moment))
            actions += [.keep(record), .start(entry, record, isAgain: true)]
        }
        return actions
    }

    // MARK: Ending

    private mutating func stopDue(at moment: Moment) -> [Action] {
        let due = running.filter {
            !$0.value.isEnding && $0.value.deadline.map { $0 <= moment.clock } ?? false
        }
        return due.keys.sorted().compactMap { key in
            running[key]?.isEnding = true
            return records[key].map(Action.stop)
        }
    }

    /// A recording has been begun for it.
    package mutating func began(_ key: String, recording: String) -> [Action] {
        guard var record = records[key] else { return [] }
        record.recordings.append(recording)
        records[key] = record
        return [.keep(record)]
    }

    /// It ran when the program ended, and this is what became of it.
    /// - Parameter end: of what was recorded. The end of the program ends a recording properly, and its show is cut short
    ///   all the same.
    package mutating func settled(
        _ key: String, _ outcome: Outcome, end: WallTime?, at moment: Moment
    ) -> [Action] {
        let due = records[key]?.to?.advanced(bySeconds: -Self.endSlack)
        let isShort = if let due, let end { end < due } else { false }
        return ended(
            key, outcome == .finished && isShort ? .interrupted : outcome,
            at: Moment(wall: end ?? moment.wall, clock: moment.clock))
    }

    /// Seconds before its end in which the last sound of a whole recording may have come.
    private static let endSlack = 10.0

    /// It is over, or could not be begun. What failed is tried again within its time.
    package mutating func ended(_ key: String, _ outcome: Outcome, at moment: Moment) -> [Action] {
        guard var record = records[key], record.state == .running else { return [] }
        let wasEnding = running.removeValue(forKey: key)?.isEnding ?? true
        record.ended = moment.wall
        switch outcome {
        case .finished:
            record.state = record.reason == nil ? .done : .partial
            if !wasEnding, record.to != nil { record.add(reason: "ended by hand") }
        case .interrupted:
            record.state = .partial
            record.add(reason: "the service ended before it was over")
        case .failed(let reason):
            record.add(reason: reason)
            if !wasEnding, moment.wall < record.end ?? record.start {
                failures[key] = Failure(
                    reason: reason, retry: moment.clock.advanced(bySeconds: Self.retrySeconds),
                    recordings: record.recordings)
                records[key] = nil
                // The row still says that it runs: after a crash it is tried again.
                return [.keep(record)]
            }
            record.state = record.recordings.count > 1 ? .partial : .missed
        }
        records[key] = record
        return [.keep(record)]
    }
}
