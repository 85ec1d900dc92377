/// The offsets of a time zone from UTC within a period. The service reads them from tzdata and writes them into the entry of the action that needs
/// them, so that a replay and the engine in a client need no tzdata.
public struct ZoneWindow: Hashable, Sendable {
  /// The name of the zone, such as `Europe/Berlin`.
  public var name: String
  /// The beginning of the period, in milliseconds since 1970.
  public var from: WideInt
  /// The end of the period, in milliseconds since 1970. It is not part of the period.
  public var until: WideInt
  /// The offset at the beginning, in seconds east of UTC.
  public var offset: WideInt
  /// The changes of the offset within the period, in order.
  public var changes: [Change]

  /// A change of the offset.
  public struct Change: Hashable, Sendable {
    /// The moment of the change, in milliseconds since 1970.
    public var at: WideInt
    /// The offset from this moment on, in seconds east of UTC.
    public var offset: WideInt

    public init(at moment: WideInt, offset: WideInt) {
      at = moment
      self.offset = offset
    }
  }

  public init(_ name: String, from: WideInt, until: WideInt, offset: WideInt, changes: [Change] = []) {
    self.name = name
    self.from = from
    self.until = until
    self.offset = offset
    self.changes = changes
  }
}

// Local times. A time of day is in milliseconds since midnight, a day is the number of days since 1 January 1970, both by the clock of the zone.
extension ZoneWindow {
  /// The length of a day in milliseconds.
  static let day: WideInt = 86_400_000

  /// Whether the day around a moment is within the period, so that times of day can be computed for it.
  func covers(_ moment: WideInt) -> Bool {
    moment >= from.addingSaturated(2 * Self.day) && moment < until.subtractingSaturated(2 * Self.day)
  }

  /// The day of a moment.
  private func day(of moment: WideInt) -> WideInt {
    var seconds = offset
    for change in changes where change.at <= moment { seconds = change.offset }
    let local = moment + seconds * 1_000
    return local >= 0 ? local / Self.day : (local + 1) / Self.day - 1
  }

  /// The moment at which the clock shows a time of day. A time that does not exist on that day is converted with the offset before the gap. If a time
  /// exists twice, the first of the two moments is returned (RFC 5545, 3.3.5).
  private func moment(of time: WideInt, on day: WideInt) -> WideInt {
    let local = day * Self.day + time
    var before = offset
    for change in changes {
      let moment = local - before * 1_000
      // The time is before the change, or the change skips it.
      if moment < change.at || local - change.offset * 1_000 < change.at { return moment }
      before = change.offset
    }
    return local - before * 1_000
  }

  /// The first moment after `moment` at which the clock shows the time of day.
  func next(_ time: WideInt, after moment: WideInt) -> WideInt {
    var day = day(of: moment) - 1
    while true {
      let next = self.moment(of: time, on: day)
      if next > moment { return next }
      day += 1
    }
  }

  /// The last moment at or before `moment` at which the clock showed the time of day.
  func last(_ time: WideInt, until moment: WideInt) -> WideInt {
    var day = day(of: moment) + 1
    while true {
      let last = self.moment(of: time, on: day)
      if last <= moment { return last }
      day -= 1
    }
  }

  /// Whether the clock is between two times of day at a moment. The first time is part of the interval and the second one is not. If the second time
  /// is earlier, the interval spans midnight. Two equal times denote an empty interval.
  func isBetween(_ start: WideInt, _ end: WideInt, at moment: WideInt) -> Bool {
    start != end && last(start, until: moment) > last(end, until: moment)
  }
}
