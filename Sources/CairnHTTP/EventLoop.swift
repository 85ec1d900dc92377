import CairnRuntime
import Glibc
import Synchronization

/// A connection thread. It drives a daemon of libmicrohttpd and reads, handles and answers all requests of its connections.
///
/// After exactly 128 events at once, the library's own loop waits for its full timeout. This loop runs another round whenever something has moved.
/// Unchecked: everything but the waker, the figures and the messages, which are thread-safe, belongs to the loop's thread.
final class EventLoop: @unchecked Sendable {
  /// Messages of other threads to the loop.
  private struct Messages {
    var arrivals: [Arrival] = []
    var resumed: [Exchange] = []
    var flowing: [Outlet] = []
    /// Whether the loop has ended and reads no more messages.
    var isOver = false
  }

  let context: ServerContext
  let figures = Figures()
  /// The time of this round (`Monotonic`).
  private(set) var now = Monotonic.now()
  /// The number of requests whose head has arrived and whose response has not been sent completely.
  var unfinished = 0
  /// The number of requests that wait for their response and are checked in each round.
  var waiting = 0
  /// The number of requests that are suspended until their response is delivered.
  var suspended = 0
  /// Whether something happened that may let more happen, so that another round follows without a pause.
  var hasMoved = false

  let acceptor: ConnectionAcceptor
  private let waker: ThreadWaker
  private let messages = Lock(Messages())
  private let thread = Atomic<UInt>(0)
  private var daemon: Daemon?
  private let peers = Peers()
  var lingering = LingeringCloses()
  var outlets: Outlets
  /// The date in the responses of this second.
  let date = DateField()
  /// The empty responses that the library receives instead of the real ones.
  let empty = EmptyResponses()
  /// Whether the library answers a request that already has its response.
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

  /// Requests another round, because a response was delivered or the phase has changed.
  func wake() {
    if thread.load(ordering: .relaxed) == UInt(pthread_self()) { hasMoved = true } else { waker.ring() }
  }

  /// Passes a suspended request whose response has been delivered.
  func resume(_ exchange: Exchange) {
    messages.withLock { $0.resumed.append(exchange) }
    wake()
  }

  /// Passes an accepted connection to this loop.
  func take(_ arrival: Arrival) {
    figures.connections.add(1, ordering: .relaxed)
    messages.withLock { $0.arrivals.append(arrival) }
    wake()
  }

  /// Passes a stream that has bytes to send or is to end.
  func flow(_ outlet: Outlet) {
    messages.withLock { if !$0.isOver { $0.flowing.append(outlet) } }
    wake()
  }

  // MARK: the loop's thread

  /// Serves until the context is `stopping` and everything has been answered, or until `Limits.grace` has passed. Called once. `assigner` is set for
  /// the loop that accepts connections.
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
    // The daemon must not end while connections are suspended. All of them have been refused, but a response may be delivered at this moment.
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

  /// Registers the connection that libmicrohttpd has just taken over.
  func open(descriptor: Int32) -> Peer {
    let peer = Peer(self, number: context.nextPeer(), address: host, descriptor: descriptor)
    peers.enter(peer)
    return peer
  }

  /// Removes a connection.
  func close(_ peer: Peer) {
    peer.leave()
    peers.strike(peer)
    if !peer.isCountedElsewhere { depart(peer.address) }
    hasMoved = true
  }

  /// The connection of a descriptor.
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
      // Requests whose message is incomplete are not waited for.
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
      // Waiting requests count as ready, so the library would not sleep. A transfer beside them continues after at most a millisecond.
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
