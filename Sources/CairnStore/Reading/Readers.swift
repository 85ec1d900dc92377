import CairnRuntime

/// The threads for reads from the journal. One is reserved for newest states, so that no request's first read waits behind a read of
/// history; lists have one of their own; the others take any read, newest states first.
final class Readers: Sendable {
  private struct Contents {
    /// By lane.
    var lanes = Read.Lane.allCases.map { _ in FairQueue<Item>() }
    var isOpen = true
    /// Only newest states are read from now on.
    var isLeaving = false
    /// The threads that sleep, the one that fell asleep last at the end.
    var sleeping: [Int] = []

    func isRefused(_ lane: Read.Lane) -> Bool { !isOpen || (isLeaving && lane != .state) }

    /// Takes out a sleeping thread that serves a lane.
    mutating func sleeper(for lane: Read.Lane, _ served: [[Read.Lane]]) -> Int? {
      sleeping.lastIndex { served[$0].contains(lane) }.map { sleeping.remove(at: $0) }
    }
  }

  private struct Item {
    let read: Read
    /// `Monotonic`.
    let since: UInt64
    var hasBegun = false
  }

  /// The figures of waiting reads, and of dropped ones.
  struct Figures: Sendable {
    /// Reads that wait, by lane.
    var depths = [Int](repeating: 0, count: Read.Lane.allCases.count)
    /// From the asking to the first step, by lane.
    var waits = Read.Lane.allCases.map { _ in Durations() }
    /// Reads whose client had left.
    var dropped = 0
  }

  private let contents = Lock(Contents())
  /// By thread: the lanes that it serves, and whether it is to look for work. Threads are woken one by one, because all of them would look for one
  /// read.
  private let served: [[Read.Lane]]
  private let wakes: [Monitor<Bool>]
  private let measured = Lock(Figures())
  private let limit: Int
  private let threads = Lock<[NamedThread]>([])

  /// `count`: at least two. `limit`: reads that may wait in a lane.
  init(count: Int, limit: Int) {
    served = [[.state]] + (1..<max(2, count)).map { _ in [.state, .past] } + [[.list]]
    wakes = served.map { _ in Monitor(false) }
    self.limit = limit
  }

  /// Any thread.
  var figures: Figures {
    var figures = measured.withLock { $0 }
    figures.depths = contents.withLock { $0.lanes.map(\.count) }
    return figures
  }

  /// Starts the threads.
  func start() throws(ThreadError) {
    for number in served.indices {
      let thread = try NamedThread("cairn-reader-\(number)") { [self] in serve(number) }
      threads.withLock { $0.append(thread) }
    }
  }

  /// Has a read done; the fault if it may not wait.
  func offer(_ read: Read) -> StoreFault? {
    let now = Monotonic.now()
    let (fault, sleeper) = contents.withLock { contents -> (StoreFault?, Int?) in
      guard !contents.isRefused(read.lane) else { return (.stopping, nil) }
      guard contents.lanes[read.lane.rawValue].count < limit else { return (.queueFull, nil) }
      contents.lanes[read.lane.rawValue].add(Item(read: read, since: now), for: read.key)
      return (nil, contents.sleeper(for: read.lane, served))
    }
    wake(sleeper)
    return fault
  }

  private func wake(_ sleeper: Int?) {
    if let sleeper { wakes[sleeper].change { $0 = true } }
  }

  /// Refuses all but newest states from now on: what waits at once, what runs at its next step.
  func leave() {
    let refused = contents.withLock { contents in
      contents.isLeaving = true
      return contents.lanes.indices.filter { $0 != Read.Lane.state.rawValue }.flatMap { contents.lanes[$0].empty() }
    }
    for item in refused { item.read.refuse(.stopping) }
  }

  /// Refuses further reads, does the newest states that wait, ends the threads.
  func stop() {
    leave()
    contents.withLock { $0.isOpen = false }
    for wake in wakes { wake.change { $0 = true } }
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
  }

  private func serve(_ number: Int) {
    while let (lane, item, key) = next(for: number) {
      var item = item
      let isOver = run(&item, in: lane)
      let isRefused = contents.withLock { contents in
        guard !isOver else {
          contents.lanes[lane.rawValue].end(key)
          return false
        }
        guard !contents.isRefused(lane) else {
          contents.lanes[lane.rawValue].end(key)
          return true
        }
        contents.lanes[lane.rawValue].goOn(item, for: key)
        return false
      }
      if isRefused { item.read.refuse(.stopping) }
    }
  }

  /// Blocks until work arrives; nil: the readers stop.
  private func next(for number: Int) -> (lane: Read.Lane, item: Item, key: String)? {
    while true {
      let (found, sleeper, isOpen) = contents.withLock { contents in
        var found: (Read.Lane, Item, String)?
        for lane in served[number] where found == nil {
          if let (item, key) = contents.lanes[lane.rawValue].next() { found = (lane, item, key) }
        }
        if found == nil, contents.isOpen { contents.sleeping.append(number) }
        // Further work is given to another thread, if one sleeps.
        let other = served[number].first { found != nil && contents.lanes[$0.rawValue].hasTurn }
        return (found, other.flatMap { contents.sleeper(for: $0, served) }, contents.isOpen)
      }
      wake(sleeper)
      if found != nil || !isOpen { return found }
      let _: Void? = wakes[number].wait { isWoken in
        guard isWoken else { return nil }
        isWoken = false
        return ()
      }
    }
  }

  /// Does a step; true: it was the last.
  private func run(_ item: inout Item, in lane: Read.Lane) -> Bool {
    guard item.read.isWanted() else {
      measured.withLock { $0.dropped += 1 }
      item.read.refuse(.queueFull)
      return true
    }
    if !item.hasBegun {
      item.hasBegun = true
      let wait = Monotonic.now() - item.since
      measured.withLock { $0.waits[lane.rawValue].add(wait) }
    }
    return item.read.step()
  }
}
