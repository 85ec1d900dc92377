import CairnRuntime
import Glibc
import Synchronization

/// One connection thread: it drives a daemon of libmicrohttpd, and every connection of it is read, handled and answered there.
///
/// The library's own loop waits with its full time-out after exactly 128 events at once; this one asks again whenever something moved.
/// Unchecked: all but the bell, the figures and the messages, which have their own protection, belongs to the loop's thread.
final class EventLoop: @unchecked Sendable {
  /// Messages of other threads to this one.
  private struct Messages {
    var arrivals: [Arrival] = []
    var resumed: [Exchange] = []
    var flowing: [Outlet] = []
    /// The loop has ended, and reads this no more.
    var isOver = false
  }

  let context: ServerContext
  let figures = Figures()
  /// The moment of this round, `Monotonic`.
  private(set) var now = Monotonic.now()
  /// Requests whose head came and whose response is not wholly sent.
  var unfinished = 0
  /// Requests that wait for their responder and are looked at in each round.
  var waiting = 0
  /// Requests that are suspended until their responder has answered.
  var suspended = 0
  /// Something happened that may let more happen: no rest before another round.
  var hasMoved = false

  let acceptor: ConnectionAcceptor
  private let waker: ThreadWaker
  private let messages = Lock(Messages())
  private let thread = Atomic<UInt>(0)
  private var daemon: Daemon?
  private let peers = Peers()
  var lingering = LingeringCloses()
  var outlets: Outlets
  /// Of all answers of this second.
  let date = DateField()
  /// The responses that the library gets instead of the real ones.
  let empty = EmptyResponses()
  /// Whether the library answers a request that has its response already.
  var isAnswered = false
  private var host = ""
  private var nextWatch: UInt64 = 0
  private var stopBy: UInt64?
  private var watched = [pollfd](repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0), count: 4)

  init(_ context: ServerContext, _ acceptor: ConnectionAcceptor) throws(ServerError) {
    guard let waker = ThreadWaker(), let outlets = Outlets() else { throw .libraryRefused }
    self.context = context
    self.acceptor = acceptor
    self.waker = waker
    self.outlets = outlets
    daemon = try Daemon(self, limits: context.limits)
  }

  // MARK: any thread

  /// Another round is due: an answer has come, the phase has changed.
  func wake() {
    if thread.load(ordering: .relaxed) == UInt(pthread_self()) { hasMoved = true } else { waker.ring() }
  }

  /// The suspended exchange has its answer.
  func resume(_ exchange: Exchange) {
    messages.withLock { $0.resumed.append(exchange) }
    wake()
  }

  /// A connection that was let in becomes one of this loop's.
  func take(_ arrival: Arrival) {
    figures.connections.add(1, ordering: .relaxed)
    messages.withLock { $0.arrivals.append(arrival) }
    wake()
  }

  /// The stream has something to send, or is to end.
  func flow(_ outlet: Outlet) {
    messages.withLock { if !$0.isOver { $0.flowing.append(outlet) } }
    wake()
  }

  // MARK: the loop's thread

  /// Serves until the context is `stopping` and everything is answered, or `Limits.grace` has passed; once. `assigner`: for the one loop that
  /// accepts connections.
  func run(assigner: ConnectionAssigner?) {
    var assigner = assigner
    guard let daemon else { return }
    self.daemon = nil
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    watched[0].fd = daemon.descriptor
    watched[1].fd = waker.descriptor
    while true {
      waker.listen()
      now = Monotonic.now()
      hasMoved = false
      assigner?.look(now, isReadable: watched[2].revents != 0, isShut: context.phase != .running) { turnAway($0, $1) }
      takeMessages(daemon)
      isAnswered = false
      daemon.run()
      watch()
      tendStreams(isReadable: watched[3].revents != 0)
      watched[3].revents = 0
      lingering.tend(now, watched[4...]) { depart($0) }
      watched.removeSubrange(4...)
      if context.phase == .stopping, mayStop() { break }
      if !hasMoved { rest(daemon, assigner) }
    }
    // Suspended connections must not meet the end of the daemon. All have been refused; one may be getting its answer just now.
    while suspended > 0 {
      waker.listen()
      takeMessages(daemon)
      daemon.run()
      if suspended > 0 { sleep(nanoseconds: 1_000_000_000) }
    }
    daemon.run()
    lingering.close { depart($0) }
    closeStreams()
    messages.withLock {
      $0.isOver = true
      $0.flowing = []
    }
  }

  private func takeMessages(_ daemon: Daemon) {
    let news = messages.withLock { messages in
      defer { if !messages.arrivals.isEmpty || !messages.resumed.isEmpty || !messages.flowing.isEmpty { messages = Messages() } }
      return messages
    }
    for arrival in news.arrivals {
      let before = peers.opened
      host = arrival.host
      if !daemon.add(arrival.descriptor, arrival.address), peers.opened == before {
        context.log("a connection from \(host) was not taken by libmicrohttpd")
        depart(host)
      }
      hasMoved = true
    }
    for exchange in news.resumed { exchange.resume() }
    outlets.ask(news.flowing)
  }

  /// Enters the connection that libmicrohttpd has just taken over.
  func open(descriptor: Int32) -> Peer {
    let peer = Peer(self, number: context.nextPeer(), address: host, descriptor: descriptor)
    peers.enter(peer)
    return peer
  }

  /// Strikes a connection out.
  func close(_ peer: Peer) {
    peer.leave()
    peers.strike(peer)
    if !peer.isCountedElsewhere { depart(peer.address) }
    hasMoved = true
  }

  /// Whose descriptor that is.
  func peer(on descriptor: Int32) -> Peer? { peers.peer(on: descriptor) }

  private func watch() {
    guard now >= nextWatch else { return }
    nextWatch = now + context.times.watch
    for peer in peers.cutLate(at: now) {
      figures.cut.add(1, ordering: .relaxed)
      hasMoved = true
      context.log("connection \(peer.number) from \(peer.address) was too slow and is cut off")
    }
    if peers.endHalf() { hasMoved = true }
  }

  private func mayStop() -> Bool {
    if stopBy == nil {
      stopBy = now + context.times.grace
      refuseWaiting()
      // Who has not finished asking is not waited for.
      peers.cutHalf()
      stopStreams()
      hasMoved = true
      return false
    }
    guard unfinished > 0 || outlets.open > 0 else { return true }
    peers.cutStalled(context.times.stall)
    cutStalledStreams(context.times.stall)
    guard let stopBy, now >= stopBy else { return false }
    context.log("stopping although requests are under way, after \(context.limits.grace)")
    refuseWaiting()
    return true
  }

  private func refuseWaiting() { peers.refuse(.stopping(retryAfter: context.limits.retryAfter)) }

  // MARK: rest

  private func rest(_ daemon: Daemon, _ assigner: ConnectionAssigner?) {
    var limit = peers.isEmpty ? UInt64.max : nextWatch - min(nextWatch, now)
    if let stopBy { limit = min(limit, stopBy - min(stopBy, now), context.times.stall / 4) }
    if let pause = assigner?.pause(at: now) { limit = min(limit, pause) }
    if waiting > 0 {
      // Waiting requests count as ready, so the library would not sleep. A transfer beside them continues after a millisecond at the
      // latest.
      limit = min(limit, unfinished > waiting + suspended ? 1_000_000 : Exchange.patience)
    } else if let timeout = daemon.timeout {
      limit = min(limit, timeout.multipliedReportingOverflow(by: 1_000_000).partialValue)
    }
    watched[2].fd = assigner?.descriptor ?? -1
    watched[3].fd = outlets.descriptor
    if let remaining = outlets.remaining(at: now) { limit = min(limit, remaining) }
    watched += lingering.watched
    if let remaining = lingering.remaining(at: now) { limit = min(limit, remaining) }
    if limit > 0 { sleep(nanoseconds: limit) }
  }

  private func sleep(nanoseconds: UInt64) {
    let milliseconds = nanoseconds == .max ? -1 : Int32(clamping: nanoseconds / 1_000_000 + 1)
    for index in watched.indices { watched[index].revents = 0 }
    if waker.sleep() { poll(&watched, nfds_t(watched.count), milliseconds) }
    waker.wake(wasReadable: watched[1].revents != 0)
  }
}
