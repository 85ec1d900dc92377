/// The time, the random value and the sender of an action. They are stored in the journal, so that a replay has the same result.
public struct Stamp: Hashable, Sendable {
  /// The time in milliseconds since 1970.
  public var time: WideInt
  /// An unguessable value, unique to the action.
  public var nonce: String

  /// The client and the number of a numbered action; `nil` for an unnumbered action.
  public var sender: Sender?
  // The optional parts of the stamp. They share one list, because most actions have none and a stamp is copied often.
  private var circumstances: [Circumstance] = []

  private enum Circumstance: Hashable, Sendable {
    case zone(ZoneWindow)
    case cover(Cover)
    /// The client's time, which is always the last element of the list.
    case time(ClientTime)
  }

  public init(
    time: WideInt, nonce: String, sender: Sender? = nil, zones: [ZoneWindow] = [], covers: [Cover] = [], clientTime: ClientTime? = nil
  ) {
    self.time = time
    self.nonce = nonce
    self.sender = sender
    if !zones.isEmpty { self.zones = zones }
    for cover in covers { circumstances.append(.cover(cover)) }
    if let clientTime { circumstances.append(.time(clientTime)) }
  }

  /// The offsets of time zones that the action reads and the session does not have yet. The reducer determines the offsets when the action
  /// first runs. The entry stores them, so that a replay needs no tzdata.
  public var zones: [ZoneWindow] {
    get { circumstances.compactMap { if case .zone(let zone) = $0 { zone } else { nil } } }
    set { replace(zones: newValue, covers: covers) }
  }

  /// The covers that the user of a numbered action had not seen. Entries of other senders have put them over the pages that the user saw.
  /// The covers are lifted off the tree while the action runs. A cover precedes the covers above it.
  public var covers: [Cover] {
    get {
      var covers: [Cover] = []
      covers.reserveCapacity(circumstances.count)
      for case .cover(let cover) in circumstances { covers.append(cover) }
      return covers
    }
    set { replace(zones: zones, covers: newValue) }
  }

  /// The time at which the user of a numbered action acted; `nil` if the client gives no time, or if the session has a manual clock.
  public var clientTime: ClientTime? {
    get { if case .time(let time)? = circumstances.last { time } else { nil } }
    set {
      if clientTime != nil { circumstances.removeLast() }
      if let newValue { circumstances.append(.time(newValue)) }
    }
  }

  private mutating func replace(zones: [ZoneWindow], covers: [Cover]) {
    let time = clientTime
    circumstances = zones.map(Circumstance.zone) + covers.map(Circumstance.cover)
    clientTime = time
  }

  /// Whether the stamp has neither offsets nor covers nor a client's time.
  package var isPlain: Bool { circumstances.isEmpty }

  /// The stamp for the entry of an action, with the offsets of time zones that the action has added to the session. `old` is the state before the action;
  /// `nil` for the creation of the session.
  package func recording(_ state: State, since old: State?) -> Stamp {
    let new = state.zones.filter { !(old?.zones.contains($0) ?? false) }
    if new.isEmpty {
      guard case .zone? = circumstances.first else { return self }
    }
    var stamp = self
    stamp.zones = new
    return stamp
  }

  /// A stamp for conditions that are evaluated without an action. Without a manual clock, the time is unknown. The stamp then has the
  /// latest possible time, so every moment counts as passed.
  init(judging state: borrowing State) { self.init(time: state.manualTime ?? State.latestTime, nonce: "") }
}
