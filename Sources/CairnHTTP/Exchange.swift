import CMicroHTTPD
import CairnRuntime

/// One request and its response, from the request line to the last byte sent.
///
/// Unchecked: all but `delivery` belongs to the connection's thread, on which libmicrohttpd makes all calls of one
/// connection; what other threads may touch is `delivery`, under its lock. The connection's pointer is used by another thread only
/// while it is suspended, and a suspended connection is never freed.
final class Exchange: @unchecked Sendable {
  /// How far the reading is.
  private enum Stage {
    case head
    case body(Request)
    /// The body is longer than it may be: the rest is read and dropped, up to as much again.
    case overflow(Request, dropped: Int)
    case handed(Request)
    case answered
  }

  /// How far the response is. Only `suspended` may be resumed, and leaving it is what resumes.
  private enum Delivery {
    case open
    case suspended(OpaquePointer)
    case ready(@Sendable () -> Response)
    case refused(Fault)
    case taken
  }

  private let peer: Peer
  private let rawTarget: RawTarget
  private let delivery = Lock(Delivery.open)
  private var stage = Stage.head
  private var body: [UInt8] = []
  private var isCounted = false
  private var isSuspended = false
  private var number = 0

  private var core: Core { peer.core }

  init(peer: Peer, rawTarget: RawTarget) {
    self.peer = peer
    self.rawTarget = rawTarget
    number = peer.begin(self)
  }

  // MARK: any thread

  /// The handler's response; the first one counts. Resumes the connection if it rests.
  func deliver(_ make: @escaping @Sendable () -> Response) {
    delivery.withLock {
      switch $0 {
      case .open, .refused: $0 = .ready(make)
      case .suspended(let connection):
        $0 = .ready(make)
        // Under the lock: the connection's thread cannot go on, nor the daemon be freed, before this call has returned.
        MHD_resume_connection(connection)
      case .ready, .taken: break
      }
    }
  }

  /// A fault in place of a response that is not there yet.
  func refuse(_ fault: Fault) {
    delivery.withLock {
      switch $0 {
      case .open: $0 = .refused(fault)
      case .suspended(let connection):
        $0 = .refused(fault)
        MHD_resume_connection(connection)
      case .ready, .refused, .taken: break
      }
    }
  }

  /// The handler has let its responder go.
  func abandon() { refuse(.abandoned) }

  // MARK: the connection's thread

  /// Each call of libmicrohttpd's access handler: once for the head, once a piece of the body, once for its end, once after a resume.
  func proceed(_ head: RawHead, upload: UnsafeRawBufferPointer) -> MHD_Result {
    switch stage {
    case .head: return begin(head)
    case .body(let request):
      if upload.isEmpty { return hand(request, on: head.connection) }
      if upload.count > core.limits.body - body.count {
        body = []
        stage = .overflow(request, dropped: upload.count)
      } else {
        body.append(contentsOf: upload)
      }
      return .YES
    case .overflow(let request, let dropped):
      if upload.isEmpty { return answer(.payloadTooLarge(limit: core.limits.body), request, on: head.connection) }
      stage = .overflow(request, dropped: dropped + upload.count)
      return dropped > core.limits.body ? .NO : .YES
    case .handed(let request):
      wake()
      return settle(request, on: head.connection)
    case .answered: return .NO
    }
  }

  /// The request is over, for whatever reason; also without another call of `proceed` when its client left before a resume.
  func finish() {
    _ = take()
    wake()
    peer.finish()
    if isCounted { core.end() }
  }

  private func wake() {
    guard isSuspended else { return }
    isSuspended = false
    core.suspended(-1)
  }

  private func begin(_ head: RawHead) -> MHD_Result {
    isCounted = true
    let phase = core.begin()
    let id = "\(core.prefix)-\(peer.number)-\(number)"
    let (request, framing) = head.read(rawTarget, peer: peer, id: id)
    switch framing {
    case .failure(let fault): return answer(fault, request, on: head.connection)
    case .success where phase == .stopping:
      return answer(.stopping(retryAfter: core.limits.retryAfter), request, on: head.connection)
    case .success(let framing):
      if framing.hasBody { peer.allow(core.limits.upload) }
      body.reserveCapacity(min(framing.contentLength ?? 0, 64 << 10))
      stage = .body(request)
      return .YES
    }
  }

  private func hand(_ request: Request, on connection: OpaquePointer) -> MHD_Result {
    var request = request
    swap(&request.body, &body)
    peer.allow(nil)
    switch ask(request) {
    case .now(let response):
      let earlier: (@Sendable () -> Response)? = delivery.withLock { delivery in
        defer { delivery = .taken }
        if case .ready(let make) = delivery { return make }
        return nil
      }
      return send(earlier?() ?? response, isLast: core.isLeaving, on: connection)
    case .later:
      request.body = []
      stage = .handed(request)
      let rests = delivery.withLock {
        guard case .open = $0 else { return false }
        core.suspended(+1)
        isSuspended = true
        MHD_suspend_connection(connection)
        $0 = .suspended(connection)
        return true
      }
      return rests ? .YES : settle(request, on: connection)
    }
  }

  /// A function of its own, so that the responder given here is gone when it returns, if nobody kept it.
  @inline(never)
  private func ask(_ request: Request) -> Answer { core.handler(request, Responder(self)) }

  private func settle(_ request: Request, on connection: OpaquePointer) -> MHD_Result {
    switch take() {
    case .ready(let make): return send(make(), isLast: core.isLeaving, on: connection)
    case .refused(let fault): return answer(fault, request, on: connection)
    case .open, .suspended, .taken: return .NO
    }
  }

  /// What was delivered, taken out. It ends outside the lock: it may hold the last copy of a responder, whose end takes the lock too.
  private func take() -> Delivery {
    delivery.withLock { delivery in
      defer { delivery = .taken }
      return delivery
    }
  }

  private func answer(_ fault: Fault, _ request: Request, on connection: OpaquePointer) -> MHD_Result {
    _ = take()
    return send(core.response(to: fault, request), isLast: true, on: connection)
  }

  private func send(_ response: Response, isLast: Bool, on connection: OpaquePointer) -> MHD_Result {
    stage = .answered
    peer.allow(core.limits.download)
    let asked = response.headers["Connection"]?.isEqualIgnoringCase(to: "close") ?? false
    return Reply.queue(response, isLast: isLast || asked, on: connection, log: core.log)
  }
}
