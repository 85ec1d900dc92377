/// The content of the tzdata file of a time zone (RFC 9636); `nil` if there is no zone of this name.
public typealias ZoneData = @Sendable (_ name: String) -> [UInt8]?

extension Evaluator {
  /// The offsets of the time zone with this name around the time of the action; `nil` if the zone is unknown, or if an engine in a client does not have
  /// them.
  func zone(_ name: Value?, _ state: State) -> ZoneWindow? {
    guard case .string(let name)? = name else { return nil }
    for zone in state.zones where zone.name.isExactly(name) && zone.covers(stamp.time) { return zone }
    // A client has no tzdata. It predicts no action that needs other offsets than those of the session.
    program.withheld?.noteRead()
    #if CLIENT_ENGINE
      return nil
    #else
      return zones?.find(name, at: stamp.time, in: program.zoneData)
    #endif
  }
}

#if !CLIENT_ENGINE
  /// The time zones that an action reads and that its session does not have yet. They come from the action's stamp or from tzdata. Not safe
  /// for concurrent use: each action has its own log.
  final class ZoneLog: @unchecked Sendable {
    private(set) var found: [ZoneWindow]

    init(_ found: [ZoneWindow]) { self.found = found }

    /// The number of days after the time of an action for which the offsets are read. Later actions within this time read no file.
    private static let days: WideInt = 400

    /// The offsets of a time zone around a time in milliseconds since 1970; `nil` if the zone is unknown.
    func find(_ name: String, at time: WideInt, in data: ZoneData?) -> ZoneWindow? {
      if let known = found.first(where: { $0.name.isExactly(name) && $0.covers(time) }) { return known }
      guard (0...State.latestTime).contains(time), let file = data?(name).flatMap({ ZoneFile($0) }) else { return nil }
      let zone = file.window(of: name, from: time - 3 * ZoneWindow.day, until: time + Self.days * ZoneWindow.day)
      found.append(zone)
      return zone
    }
  }

  extension [ZoneWindow] {
    /// Stores offsets in place of the earlier ones of the same zones.
    mutating func note(_ found: [ZoneWindow]) {
      guard !found.isEmpty else { return }
      self = (filter { old in !found.contains { $0.name.isExactly(old.name) } } + found).sorted { $0.name < $1.name }
    }
  }
#endif
