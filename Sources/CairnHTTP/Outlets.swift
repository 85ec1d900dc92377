/// The streams of one loop. Only for its thread.
struct Outlets {
  private let set: EpollSet
  private var byDescriptor: [Outlet?] = []
  private var alarms = Alarms<Outlet>()
  private var asking: [Outlet] = []
  /// The number of elements of `asking` that have been served.
  private var served = 0
  private var nextLook: UInt64 = 0
  /// The number of streams.
  private(set) var count = 0
  /// The number of streams that may have bytes to send.
  private(set) var open = 0

  /// The interval in nanoseconds at which a busy loop checks the sockets.
  private static let interval: UInt64 = 1_000_000
  /// The number of streams that are served before requests have their turn.
  private static let turn = 128

  /// Creates an empty set. Returns `nil` if the process has no free descriptor.
  init?() {
    guard let set = EpollSet() else { return nil }
    self.set = set
  }

  /// The descriptor to wait for; -1 if there is none.
  var descriptor: Int32 { count == 0 ? -1 : set.descriptor }

  /// Whether there is work that needs no waiting.
  var isBusy: Bool { served < asking.count }

  /// The nanoseconds until the first deadline; `nil` if there is none.
  func remaining(at now: UInt64) -> UInt64? { alarms.next.map { $0 - min($0, now) } }

  /// Adds a stream. Returns `false` if its socket cannot be watched.
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

  /// Notes that everything has been sent. The client has until `deadline` to read it.
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

  /// Adds streams that have bytes to send or are to end.
  mutating func ask(_ outlets: [Outlet]) { asking += outlets }

  /// Reads the events of the sockets, if `isReadable` is set, or if a busy loop has not checked for a while. Lets the writable streams send, and
  /// returns those that have ended.
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

  /// Returns the streams whose deadline has passed. Silent streams send a heartbeat instead.
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

  /// Removes and returns the streams to serve in this turn. A stream may occur twice, or may have ended.
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

  /// Releases all queued streams.
  mutating func clear() {
    alarms = Alarms<Outlet>()
    asking = []
    served = 0
  }

  /// All streams.
  var all: [Outlet] { byDescriptor.compactMap { $0 } }

  /// Whether a stream is in the set.
  func isThere(_ outlet: Outlet) -> Bool {
    byDescriptor.indices.contains(Int(outlet.descriptor)) && byDescriptor[Int(outlet.descriptor)] === outlet
  }
}
