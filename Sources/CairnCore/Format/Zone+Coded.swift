extension ZoneWindow: Coded {
  package static var blank: ZoneWindow { ZoneWindow("", from: 0, until: 0, offset: 0) }

  package static func members<C: Coder & ~Copyable>(_ it: inout ZoneWindow, _ coder: inout C) throws(C.Failure) {
    try coder.member("name", &it.name)
    try coder.number("from", &it.from, in: ZoneWindow.times)
    try coder.number("until", &it.until, in: ZoneWindow.times)
    try coder.number("offset", &it.offset, in: ZoneWindow.offsets)
    try coder.list("changes", &it.changes)
  }
}

extension ZoneWindow.Change: Coded {
  package static var blank: ZoneWindow.Change { ZoneWindow.Change(at: 0, offset: 0) }

  package static func members<C: Coder & ~Copyable>(_ it: inout ZoneWindow.Change, _ coder: inout C) throws(C.Failure) {
    try coder.number("at", &it.at, in: ZoneWindow.times)
    try coder.number("offset", &it.offset, in: ZoneWindow.offsets)
  }
}

extension ZoneWindow {
  /// The moments that a stored window can have: a window begins a few days before the time of a session, and ends about a year after it.
  fileprivate static var times: ClosedRange<WideInt> { -10 * day...State.latestTime + 1_000 * day }
  /// The offsets that a stored window can have, in seconds: no zone was ever more than 26 hours from UTC.
  fileprivate static var offsets: ClosedRange<WideInt> { -93_600...93_600 }
}
