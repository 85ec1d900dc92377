/// The streams of one loop. Used only on the loop's thread.
struct Outlets {
  private let set: EpollSet
  private var byDescriptor: [Outlet?] = []
  private var alarms = Alarms<Outlet>()
  private var asking: [Outlet] = []
  /// The number of elements at the front of `asking` that have been served.
  private var served = 0
  private var nextLook: UInt64 = 0
  /// The number of streams.
  private(set) var count = 0
  /// The number of streams that have not sent all of their bytes.
  private(set) var open = 0

  /// The interval at which a busy loop reads the sockets' events, in nanoseconds.
  private static let interval: UInt64 = 1_000_000
  /// Maximum number of streams that are served before requests are served again.
  private static let turn = 128

  /// Creates an empty list; `nil` if the process has no free descriptor.
  init?() {
    guard let set = EpollSet() else { return nil }
    self.set = set
  }

  /// The descriptor to poll; -1 if there are no streams.
  var descriptor: Int32 { count == 0 ? -1 : set.descriptor }

  /// Whether queued streams have not been served, so that the loop must not sleep.
  var isBusy: Bool { served < asking.count }

  /// Nanoseconds until the earliest deadline or heartbeat; `nil` if no stream has a deadline or a heartbeat.
  func remaining(at now: UInt64) -> UInt64? { alarms.next.map { $0 - min($0, now) } }

  /// Adds a stream. Returns false if its socket cannot be watched.
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

  /// Removes a stream. Returns `false` if the stream was already removed.
  mutating func strike(_ outlet: Outlet) -> Bool {
    guard isThere(outlet) else { return false }
    set.remove(outlet.descriptor)
    byDescriptor[Int(outlet.descriptor)] = nil
    count -= 1
    if !outlet.isSent { open -= 1 }
    return true
  }

  /// Closes the sending side of a stream that has sent everything. The client may read until `deadline`.
  mutating func endSending(_ outlet: Outlet, until deadline: UInt64) {
    open -= 1
    outlet.endSending()
    allow(outlet, until: deadline)
  }

  /// Sets the deadline of an outlet, at which `late` returns the outlet.
  mutating func allow(_ outlet: Outlet, until deadline: UInt64) {
    outlet.allow(until: deadline)
    alarms.add(deadline, outlet)
  }

  /// Queues streams that have bytes to send or must end.
  mutating func ask(_ outlets: [Outlet]) { asking += outlets }

  /// Reads the sockets' events if `isReadable` is `true`, or if a busy loop has not read them for `interval`. Queues the streams whose
  /// sockets are writable. Returns the streams whose clients have disconnected, and in `isAll` whether all available events were read.
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

  /// Returns the streams whose deadline has passed. Queues a heartbeat for silent streams.
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

  /// Removes and returns the next queued streams, at most `turn`. A stream may occur twice, or may have been removed.
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

  /// Drops all queued work and deadlines.
  mutating func clear() {
    alarms = Alarms<Outlet>()
    asking = []
    served = 0
  }

  var all: [Outlet] { byDescriptor.compactMap { $0 } }

  /// Whether the stream was added and has not been removed.
  func isThere(_ outlet: Outlet) -> Bool {
    byDescriptor.indices.contains(Int(outlet.descriptor)) && byDescriptor[Int(outlet.descriptor)] === outlet
  }
}
