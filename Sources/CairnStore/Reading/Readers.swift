import CairnJournal
import CairnRuntime

/// The threads that read the journal. One thread only reads newest states, so that the first read of a request never waits behind a read of history.
/// One thread only reads lists. The others read newest states first, then old revisions and history.
final class Readers: Sendable {
  private struct Contents {
    /// The waiting reads, by lane.
    var lanes = Read.Lane.allCases.map { _ in FairQueue<Item>() }
    var isOpen = true
    /// Whether only newest states are read, because the store is about to stop.
    var isLeaving = false
    /// The numbers of the sleeping threads. The last thread in the list fell asleep last.
    var sleeping: [Int] = []

    func isRefused(_ lane: Read.Lane) -> Bool { !isOpen || (isLeaving && lane != .state) }

    /// Removes and returns a sleeping thread that serves the lane; `nil` if no such thread sleeps.
    mutating func sleeper(for lane: Read.Lane, _ served: [[Read.Lane]]) -> Int? {
      sleeping.lastIndex { served[$0].contains(lane) }.map { sleeping.remove(at: $0) }
    }
  }

  private struct Item {
    let read: Read
    /// The `Monotonic` time at which the read was queued.
    let since: UInt64
    var hasBegun = false
  }

  /// Statistics of the reads.
  struct Figures: Sendable {
    /// The number of waiting reads, by lane.
    var depths = [Int](repeating: 0, count: Read.Lane.allCases.count)
    /// The durations from queueing to the first step, by lane.
    var waits = Read.Lane.allCases.map { _ in Durations() }
    /// The number of reads that were dropped because the client had disconnected.
    var dropped = 0
  }

  private let contents = Lock(Contents())
  /// For each thread, the lanes that it serves, and the signal that wakes it. Threads are woken one at a time, because otherwise all of them would
  /// wake for a single read.
  private let served: [[Read.Lane]]
  private let wakes: [Monitor<Bool>]
  private let measured = Lock(Figures())
  private let limit: Int
  private let threads = Lock<[NamedThread]>([])

  /// Creates the readers. `count` must be at least two. `limit` is the maximum number of waiting reads per lane.
  init(count: Int, limit: Int) {
    served = [[.state]] + (1..<max(2, count)).map { _ in [.state, .past] } + [[.list]]
    wakes = served.map { _ in Monitor(false) }
    self.limit = limit
  }

  /// The current statistics. Can be called on any thread.
  var figures: Figures {
    var figures = measured.withLock { $0 }
    figures.depths = contents.withLock { $0.lanes.map(\.count) }
    return figures
  }

  func start() throws(ThreadError) {
    for number in served.indices {
      let thread = try NamedThread("cairn-reader-\(number)") { [self] in serve(number) }
      threads.withLock { $0.append(thread) }
    }
  }

  /// Queues a read. Returns a fault if the queue is full or closed. Otherwise returns `nil`.
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

  /// Refuses all new reads except reads of newest states. Waiting reads are refused immediately, and running reads at their next step.
  func leave() {
    let refused = contents.withLock { contents in
      contents.isLeaving = true
      return contents.lanes.indices.filter { $0 != Read.Lane.state.rawValue }.flatMap { contents.lanes[$0].empty() }
    }
    for item in refused { item.read.refuse(.stopping) }
  }

  /// Refuses new reads, finishes the waiting reads of newest states, and ends the threads.
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

  /// Blocks until a read is available for the thread; `nil` when the readers stop.
  private func next(for number: Int) -> (lane: Read.Lane, item: Item, key: String)? {
    while true {
      let (found, sleeper, isOpen) = contents.withLock { contents in
        var found: (Read.Lane, Item, String)?
        for lane in served[number] where found == nil {
          if let (item, key) = contents.lanes[lane.rawValue].next() { found = (lane, item, key) }
        }
        if found == nil, contents.isOpen { contents.sleeping.append(number) }
        // If more reads wait, one more sleeping thread is woken.
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

  /// Runs a step, or refuses the read if its client no longer waits. Returns whether the read is finished.
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

extension Readers {
  /// Queues a read with a single step, and replies with its result. An error of the journal becomes `storage`.
  func look<Answer: Sendable>(
    _ key: String, in lane: Read.Lane = .list, _ parts: StoreParts, _ reply: @escaping Reply<Answer>,
    _ find: @escaping @Sendable (StoreParts) throws(JournalError) -> Answer
  ) {
    let read = SingleRead { parts throws(StoreFault) in
      do {
        return try find(parts)
      } catch {
        throw StoreFault.storage("\(error)")
      }
    }
    if let fault = offer(read, lane, key, parts, reply) { reply(.failure(fault)) }
  }
}
