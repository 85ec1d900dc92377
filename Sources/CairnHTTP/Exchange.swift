import CMicroHTTPD
import Synchronization

/// One request and its response, from the request line to the last byte sent.
///
/// Unchecked: `delivery` is thread-safe. Everything else belongs to the loop's thread, on which libmicrohttpd makes all calls of one
/// connection.
final class Exchange: @unchecked Sendable {
  /// The stage of a request: its head or body is being received, the handler has it, or it is answered. `answered` means that the response
  /// has begun or that the request has ended.
  enum Stage {
    case head
    case body(Request)
    case handed(Request)
    case answered
  }

  /// The ways in which a request waits for its response.
  private enum Rest {
    case none
    /// The loop checks in each round whether the response has been delivered. The value is the start of the wait, in `Monotonic`
    /// nanoseconds.
    case awake(UInt64)
    /// The connection is suspended until the response is delivered.
    case suspended(OpaquePointer)
  }

  /// The time, in nanoseconds, for which the loop checks in each round whether a response has been delivered. After this time, it suspends
  /// the connection. A check costs a tenth of a microsecond. Suspending and resuming a connection costs as much as several checks.
  static let patience: UInt64 = 10_000_000

  let peer: Peer
  private(set) var target: ShownTarget
  private var number: Int
  let delivery = Delivery()
  var stage = Stage.head
  private var rest = Rest.none
  private var body = BodyBuffer()
  private var isCounted = false
  private let isRefused = Atomic(false)

  private var loop: EventLoop { peer.loop }
  var context: ServerContext { peer.loop.context }

  init(_ peer: Peer, target: UnsafePointer<CChar>) {
    self.peer = peer
    self.target = ShownTarget(target, limit: peer.loop.context.limits.target)
    number = peer.nextRequest()
  }

  /// Prepares this object for the next request of the connection. Allowed only if no other reference to the object exists, so that no
  /// thread can answer the previous request.
  func begin(target: UnsafePointer<CChar>) {
    self.target.read(target, limit: context.limits.target)
    number = peer.nextRequest()
    stage = .head
    isCounted = false
    isRefused.store(false, ordering: .relaxed)
    delivery.reset()
  }

  // MARK: any thread

  /// Stores the response and wakes the loop, which sends it. Only the first response counts. Returns `false` if the request already has a
  /// response or has ended.
  func deliver(_ content: Delivery.Content) -> Bool {
    switch delivery.fill(content) {
    case .late: return false
    case .awaited: loop.wake()
    case .suspended: loop.resume(self)
    }
    return true
  }

  /// Whether the request has no response yet and the client has not closed its side of the connection. Can be called on any thread.
  var isAwaited: Bool { delivery.isOpen && peer.isThere }

  /// Records that the request was refused, and delivers a fault as the response unless a response has been delivered.
  func refuse(_ fault: Fault) {
    isRefused.store(true, ordering: .releasing)
    _ = deliver(.fault(fault))
  }

  /// Whether `refuse` was called, even if the handler's response had been delivered first.
  var wasRefused: Bool { isRefused.load(ordering: .acquiring) }

  /// Called when the last copy of the responder is released.
  func abandon() { refuse(.abandoned) }

  // MARK: the loop's thread

  /// Handles one call of libmicrohttpd's access callback. The library makes one call for the head, one per piece of the body, one for the
  /// end of the body, and then one per round.
  func proceed(_ call: AccessCall) -> MHD_Result {
    if case .handed(let request) = stage { return look(request, on: call.connection) }
    loop.hasMoved = true
    switch stage {
    case .head: return begin(call)
    case .body(let request):
      if call.upload.isEmpty { return hand(request, on: call.connection) }
      do throws(Fault) {
        try body.append(call.upload, context)
        return .YES
      } catch {
        return answer(error, request)
      }
    case .handed, .answered: return .NO
    }
  }

  /// Resumes the suspended connection after the response has been delivered.
  func resume() {
    guard case .suspended(let connection) = rest else { return }
    leaveRest()
    MHD_resume_connection(connection)
    loop.hasMoved = true
  }

  /// Ends the request, whether it is complete or not. If the client has disconnected, this function is called without another call of
  /// `proceed`.
  func finish() {
    discard()
    leaveRest()
    stage = .answered
    body.giveBack(context)
    body = BodyBuffer()
    peer.finish()
    if isCounted { loop.unfinished -= 1 }
    loop.hasMoved = true
  }

  private func begin(_ call: AccessCall) -> MHD_Result {
    isCounted = true
    loop.unfinished += 1
    let phase = context.phase
    let (head, framing) = call.read(target, number: number, of: peer)
    let request = Request(head: head)
    switch framing {
    case .failure(let fault): return answer(fault, request)
    case .success where phase == .stopping: return answer(.stopping(retryAfter: context.limits.retryAfter), request)
    case .success(let framing):
      peer.isLast = framing.isLast
      let limit = context.limits.bodyLimit(of: request, framing)
      if let length = framing.contentLength, length > limit { return answer(.payloadTooLarge(limit: limit), request) }
      body.bound(limit)
      peer.wire.begin(framing, bodyLimit: limit)
      if peer.wire.isBodyFault, let fault = peer.wire.fault { return answer(fault, request) }
      if framing.hasBody { peer.allow(context.times.upload) }
      if let length = framing.contentLength { body.reserve(length) }
      stage = .body(request)
      return .YES
    }
  }

  private func hand(_ request: Request, on connection: OpaquePointer) -> MHD_Result {
    var whole = request
    whole.body = body.take()
    peer.allow(nil)
    switch ask(whole) {
    case .now(let response):
      switch delivery.takeForGood() {
      case .response(let first)?: return send(first, request, on: connection)
      case .work(let make)?: return send(make(), request, on: connection)
      case .stream(let stream)?: return begin(stream, request)
      // The handler returned `.now`, so its response is sent. If the handler has released its responder, a fault was delivered; it is
      // ignored.
      case .fault?, nil: return send(response, request, on: connection)
      }
    case .later:
      stage = .handed(request)
      if let content = delivery.takeIfReady() { return settle(content, request, on: connection) }
      rest = .awake(loop.now)
      loop.waiting += 1
      loop.figures.resting.add(1, ordering: .relaxed)
      return .YES
    }
  }

  /// Calls the handler. A separate function, so that the responder is released on return, unless the handler retains it.
  @inline(never)
  private func ask(_ request: Request) -> Answer {
    context.handler(request, Responder(self, asksForHead: request.asksForHead))
  }

  private func look(_ request: Request, on connection: OpaquePointer) -> MHD_Result {
    if let content = delivery.takeIfReady() {
      leaveRest()
      loop.hasMoved = true
      return settle(content, request, on: connection)
    }
    if case .awake(let since) = rest, loop.now - since >= Self.patience, delivery.suspend() {
      rest = .suspended(connection)
      loop.waiting -= 1
      loop.suspended += 1
      MHD_suspend_connection(connection)
    }
    return .YES
  }

  private func leaveRest() {
    switch rest {
    case .none: return
    case .awake: loop.waiting -= 1
    case .suspended: loop.suspended -= 1
    }
    rest = .none
    loop.figures.resting.subtract(1, ordering: .relaxed)
  }

  private func settle(_ content: Delivery.Content, _ request: Request, on connection: OpaquePointer) -> MHD_Result {
    switch content {
    case .response(let response): send(response, request, on: connection)
    case .work(let make): send(make(), request, on: connection)
    case .fault(let fault): answer(fault, request)
    case .stream(let stream): begin(stream, request)
    }
  }

  private func send(_ response: Response, _ request: Request, on connection: OpaquePointer) -> MHD_Result {
    stage = .answered
    peer.allow(context.times.download)
    let outgoing: Outgoing
    do throws(IllegalResponse) {
      outgoing = try Outgoing(response, to: request, loop.date)
    } catch {
      context.log("\(error.reason); the service sent 500 instead")
      outgoing = Outgoing(failureAt: loop.date)
    }
    let isLast = outgoing.isLast || context.phase != .running
    peer.isLast = peer.isLast || isLast
    guard let empty = isLast ? loop.empty.last : loop.empty.more else { return .NO }
    peer.answer(outgoing)
    return cairn_mhd_queue(connection, UInt32(outgoing.status), empty)
  }
}
