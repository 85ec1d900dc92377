import CairnRuntime
import Glibc
import Synchronization

/// One connection thread. It drives one daemon of libmicrohttpd; each of its connections is read, handled and answered on this thread.
///
/// The library's own loop sleeps for its full timeout after a round with exactly 128 events. So this loop runs another round after each
/// round with events. Unchecked: all state belongs to the loop's thread, except the waker, the figures and the messages, which are
/// thread-safe.
final class EventLoop: @unchecked Sendable {
  /// Messages from other threads to this loop.
  private struct Messages {
    var arrivals: [Arrival] = []
    var resumed: [Exchange] = []
    var flowing: [Outlet] = []
    /// Whether the loop has ended and reads no more messages.
    var isOver = false
  }

  let context: ServerContext
  let figures = Figures()
  /// The time at which this round began, in `Monotonic` nanoseconds.
  private(set) var now = Monotonic.now()
  /// Number of requests whose head has been read and whose response has not been sent completely.
  var unfinished = 0
  /// Number of requests that wait for their responder and are checked in each round.
  var waiting = 0
  /// Number of requests whose connection is suspended until their responder has delivered a response.
  var suspended = 0
  /// Whether something happened in this round that may allow more work. If so, the loop runs another round before it sleeps.
  var hasMoved = false

  let acceptor: ConnectionAcceptor
  private let waker: ThreadWaker
  private let messages = Lock(Messages())
  private let thread = Atomic<UInt>(0)
  private var daemon: Daemon?
  private let peers = Peers()
  var lingering = LingeringCloses()
  var outlets: Outlets
  /// The `Date` field of all responses.
  let date = DateField()
  /// The empty responses that the library gets. The loop itself sends the real responses.
  let empty = EmptyResponses()
  /// Whether a response was sent or a stream began without the library in this round. If so, the library's log lines are dropped.
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

  /// Requests another round because a response has arrived or the phase has changed.
  func wake() {
    if thread.load(ordering: .relaxed) == UInt(pthread_self()) { hasMoved = true } else { waker.ring() }
  }

  /// Resumes a suspended exchange whose response has been delivered.
  func resume(_ exchange: Exchange) {
    messages.withLock { $0.resumed.append(exchange) }
    wake()
  }

  /// Adds an accepted connection to this loop.
  func take(_ arrival: Arrival) {
    figures.connections.add(1, ordering: .relaxed)
    messages.withLock { $0.arrivals.append(arrival) }
    wake()
  }

  /// Asks the loop to serve a stream that has bytes to send or must end.
  func requestSending(_ outlet: Outlet) {
    messages.withLock { if !$0.isOver { $0.flowing.append(outlet) } }
    wake()
  }

  // MARK: the loop's thread

  /// Serves until the phase is `stopping` and all requests and streams have ended, but at most `Limits.grace` after the stop began. May be
  /// called once. `assigner` is `nil` except for the one loop that accepts connections.
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
    // libmicrohttpd aborts if a daemon ends with suspended connections. All waiting requests have been refused, but another thread may
    // still be delivering a response.
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
        context.log("libmicrohttpd did not accept a connection from \(host)")
        depart(host)
      }
      hasMoved = true
    }
    for exchange in news.resumed { exchange.resume() }
    outlets.ask(news.flowing)
  }

  /// Creates and registers the connection that libmicrohttpd has just started.
  func open(descriptor: Int32) -> Peer {
    let peer = Peer(self, number: context.nextPeer(), address: host, descriptor: descriptor)
    peers.enter(peer)
    return peer
  }

  /// Removes a connection that libmicrohttpd has closed. If the socket has a new owner, that owner removes the connection from the counts.
  func close(_ peer: Peer) {
    peer.leave()
    peers.strike(peer)
    if !peer.isCountedElsewhere { depart(peer.address) }
    hasMoved = true
  }

  /// Returns the connection that owns the descriptor; `nil` if no connection owns it.
  func peer(on descriptor: Int32) -> Peer? { peers.peer(on: descriptor) }

  private func watch() {
    guard now >= nextWatch else { return }
    nextWatch = now + context.times.watch
    for peer in peers.cutLate(at: now) {
      figures.cut.add(1, ordering: .relaxed)
      hasMoved = true
      context.log("closed connection \(peer.number) from \(peer.address), because the client was too slow")
    }
    if peers.endHalf() { hasMoved = true }
  }

  private func mayStop() -> Bool {
    if stopBy == nil {
      stopBy = now + context.times.grace
      refuseWaiting()
      // The stop does not wait for incomplete requests.
      peers.cutHalf()
      stopStreams()
      hasMoved = true
      return false
    }
    guard unfinished > 0 || outlets.open > 0 else { return true }
    peers.cutStalled(context.times.stall)
    cutStalledStreams(context.times.stall)
    guard let stopBy, now >= stopBy else { return false }
    context.log("stopping after \(context.limits.grace), although requests are still in progress")
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
      // Waiting requests count as ready, so the library's timeout is 0 and cannot be used. If other requests are in progress too, the next
      // round starts after at most a millisecond.
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
