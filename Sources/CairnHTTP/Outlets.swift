/// All streams of one loop. Only for its thread.
struct Outlets {
  private let set: EpollSet
  private var byDescriptor: [Outlet?] = []
  private var alarms = Alarms<Outlet>()
  private var asking: [Outlet] = []
  /// How many of `asking` were served.
  private var served = 0
  private var nextLook: UInt64 = 0
  /// How many there are.
  private(set) var count = 0
  /// How many of them have something to send, or may have.
  private(set) var open = 0

  /// How often a busy loop looks for what is new, in nanoseconds.
  private static let interval: UInt64 = 1_000_000
  /// How many are served before requests have their turn again.
  private static let turn = 128

  /// None; nil: the process has no descriptor left.
  init?() {
    guard let set = EpollSet() else { return nil }
    self.set = set
  }

  /// The descriptor to wait for; -1: none.
  var descriptor: Int32 { count == 0 ? -1 : set.descriptor }

  /// Whether there is something to do without waiting.
  var isBusy: Bool { served < asking.count }

  /// Nanoseconds until one must be looked at anyway; nil: none.
  func remaining(at now: UInt64) -> UInt64? { alarms.next.map { $0 - min($0, now) } }

  /// One more. False: it cannot be watched.
  mutating func enter(_ outlet: Outlet) -> Bool {
    guard set.add(outlet.descriptor) else { return false }
    let index = Int(outlet.descriptor)
    if byDescriptor.count <= index { byDescriptor += [Outlet?](repeating: nil, count: index + 1 - byDescriptor.count) }
    byDescriptor[index] = outlet
    count += 1
    open += 1
    alarms.add(outlet.nextBeat, outlet)
    asking.append(outlet)
    return true
  }

  /// Removes a stream. Returns false if it was already removed.
  mutating func strike(_ outlet: Outlet) -> Bool {
    guard isThere(outlet) else { return false }
    set.remove(outlet.descriptor)
    byDescriptor[Int(outlet.descriptor)] = nil
    count -= 1
    if !outlet.isSent { open -= 1 }
    return true
  }

  /// It has sent all, and its client has so long to read it.
  mutating func endSending(_ outlet: Outlet, until deadline: UInt64) {
    open -= 1
    outlet.endSending()
    allow(outlet, until: deadline)
  }

  /// Sets the deadline of an outlet's operation.
  mutating func allow(_ outlet: Outlet, until deadline: UInt64) {
    outlet.allow(until: deadline)
    alarms.add(deadline, outlet)
  }

  /// These have something to send, or are to end.
  mutating func ask(_ outlets: [Outlet]) { asking += outlets }

  /// Reads the sockets' events, if `isReadable` says that there are some, or if a busy loop has not looked for a while. Writable streams
  /// are asked for bytes; returns those that have ended.
  mutating func look(_ now: UInt64, isReadable: Bool) -> (gone: [Outlet], isAll: Bool) {
    guard count > 0, isReadable || now >= nextLook else { return ([], true) }
    nextLook = now + Self.interval
    let news = set.read()
    var gone: [Outlet] = []
    for new in news {
      guard let outlet = byDescriptor[Int(new.descriptor)] else { continue }
      if new.isGone || new.isReadable && !outlet.drop() {
        gone.append(outlet)
      } else if new.isWritable {
        asking.append(outlet)
      }
    }
    return (gone, news.count < EpollSet.most)
  }

  /// The streams whose deadline has passed. Silent ones are asked for a heartbeat.
  mutating func late(at now: UInt64) -> [Outlet] {
    var late: [Outlet] = []
    while let outlet = alarms.take(at: now) {
      guard isThere(outlet) else { continue }
      if outlet.deadline <= now {
        late.append(outlet)
      } else if outlet.nextBeat <= now {
        outlet.beat(at: now)
        alarms.add(outlet.nextBeat, outlet)
        asking.append(outlet)
      }
    }
    return late
  }

  /// The next of those that asked, as many as may be served in one turn; one may be among them twice, or not be there any more.
  mutating func takeTurn() -> [Outlet] {
    guard isBusy else { return [] }
    let end = min(asking.count, served + Self.turn)
    let turn = Array(asking[served..<end])
    served = end
    if served == asking.count || served > 4_096 {
      asking.removeFirst(served)
      served = 0
    }
    return turn
  }

  /// Lets go of whatever was to be looked at.
  mutating func clear() {
    alarms = Alarms<Outlet>()
    asking = []
    served = 0
  }

  /// Every one.
  var all: [Outlet] { byDescriptor.compactMap { $0 } }

  /// Whether it is one of these.
  func isThere(_ outlet: Outlet) -> Bool {
    byDescriptor.indices.contains(Int(outlet.descriptor)) && byDescriptor[Int(outlet.descriptor)] === outlet
  }
}
