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

    func isRefused(_ lane: Read.Lane) -> Bool { !isOpen || (isLeaving && lane != .state) }
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

  private let contents = Monitor(Contents())
  private let measured = Lock(Figures())
  private let count: Int
  private let limit: Int
  private let threads = Lock<[NamedThread]>([])

  /// `count`: at least two. `limit`: reads that may wait in a lane.
  init(count: Int, limit: Int) {
    self.count = max(2, count)
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
    let served: [[Read.Lane]] = [[.state]] + (1..<count).map { _ in [.state, .past] } + [[.list]]
    for (number, lanes) in served.enumerated() {
      let thread = try NamedThread("cairn-reader-\(number)") { [self] in serve(lanes) }
      threads.withLock { $0.append(thread) }
    }
  }

  /// Has a read done; the fault if it may not wait.
  func offer(_ read: Read) -> StoreFault? {
    let now = Monotonic.now()
    return contents.change { contents in
      guard !contents.isRefused(read.lane) else { return .stopping }
      guard contents.lanes[read.lane.rawValue].count < limit else { return .queueFull }
      contents.lanes[read.lane.rawValue].add(Item(read: read, since: now), for: read.key)
      return nil
    }
  }

  /// Refuses all but newest states from now on: what waits at once, what runs at its next step.
  func leave() {
    let refused = contents.change { contents in
      contents.isLeaving = true
      return contents.lanes.indices.filter { $0 != Read.Lane.state.rawValue }.flatMap { contents.lanes[$0].empty() }
    }
    for item in refused { item.read.refuse(.stopping) }
  }

  /// Refuses further reads, does the newest states that wait, ends the threads.
  func stop() {
    leave()
    contents.change { $0.isOpen = false }
    let threads = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in threads { thread.join() }
  }

  private func serve(_ lanes: [Read.Lane]) {
    while let (lane, item, key) = next(of: lanes) {
      var item = item
      let isOver = run(&item, in: lane)
      let isRefused = contents.change { contents in
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

  /// Blocks until there is a read; `nil` after the stop.
  private func next(of lanes: [Read.Lane]) -> (lane: Read.Lane, item: Item, key: String)? {
    let found: (Read.Lane, Item, String)?? = contents.wait { contents in
      for lane in lanes {
        if let (item, key) = contents.lanes[lane.rawValue].next() { return .some((lane, item, key)) }
      }
      return contents.isOpen ? nil : .some(nil)
    }
    return found ?? nil
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
