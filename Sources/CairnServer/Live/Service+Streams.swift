import CairnAPI
import CairnCore
import CairnHTTP
import CairnRuntime
import CairnStore
import Synchronization

// Endpoints that stream events: those of one session, and those of all.
extension Service {
  /// The maximum number of entries that are sent to a client that missed them. Beyond it the client gets the whole session.
  static let mostMissed = 1_000

  func streamSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let (ticket, last) = (query.read(Query.ticket), query.read(Query.lastEventID))
    try query.end()
    withSession(call, ticket: ticket) { session, principal throws(Rejection) in
      guard call.method != .head else { return call.answer(Self.streamHead) }
      if self.streams.isEnding { throw Rejection(StoreFault.stopping) }
      let isBounded = principal.role == .session
      if isBounded, !self.streams.enter(session.id) {
        throw self.refused(RateLimiter.Refusal(limit: .streamsPerSession, wait: 1_000_000_000), call)
      }
      let place = StreamPlace(isBounded ? session.id : nil, self.streams)
      // The session is read again, because from here on the subscription reports every commit.
      let subscription = self.store.feed.subscription(session.id)
      self.store.session(session.id) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success(let session):
          self.compare(call.lastEventID(last), with: session) { self.begin(session, subscription, place, principal, heard: $0, call) }
        }
      }
    }
  }

  /// Continues after the last revision that a client has received. `nil` if the client needs the whole session, because it is new, has missed too
  /// much, or received a revision that was lost with a restore.
  private func compare(_ last: String?, with session: Session, _ next: @escaping @Sendable (Int?) -> Void) {
    let newest = session.state.revision
    guard let last = last.flatMap({ RevisionTag($0) }), (1...newest).contains(last.revision), newest - last.revision <= Self.mostMissed
    else { return next(nil) }
    guard last.revision < newest, last.mark != nil else { return next(last.matches(session.tag) || last.mark == nil ? last.revision : nil) }
    store.tag(of: session.id, at: last.revision) { result in
      guard case .success(let tag?) = result, last.matches(tag) else { return next(nil) }
      next(last.revision)
    }
  }

  private func begin(
    _ session: Session, _ subscription: Subscription, _ place: StreamPlace, _ principal: Principal, heard: Int?, _ call: Call
  ) {
    let newest = session.state.revision
    var head = Self.streamHead
    head.body = EventText.retry
    if heard == nil {
      guard let json = try? self.bytes(of: session) else {
        return call.reject(Rejection(.internal, "the session holds a number that JSON has not"))
      }
      head.body += EventText.bytes("reset", id: session.tag.description, json: json)
    }
    guard let bytes = call.stream(head) else { return }
    let stream = EventStream(.session, of: session.id, bytes, for: principal, call.seat)
    if heard == nil { stream.count.add(1, ordering: .relaxed) }
    watch(stream, call) {
      subscription.leave()
      place.leave()
    }
    subscription.join(behind: heard ?? newest, of: session, SessionStream(stream))
  }

  func streamAll(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let filter = AllStream.Filter(app: query.read(Query.app), label: query.read(Query.label))
    let (ticket, last) = (query.read(Query.ticket), query.read(Query.lastEventID))
    try query.end()
    let principal = try requireOperator(call, ticket: ticket, for: "listening to all sessions")
    guard call.method != .head else { return call.answer(Self.streamHead) }
    if streams.isEnding { throw Rejection(StoreFault.stopping) }
    var head = Self.streamHead
    head.body = EventText.retry
    guard let bytes = call.stream(head) else { return }
    let stream = EventStream(.all, bytes, for: principal, call.seat)
    let run = streams.run
    let heard = call.lastEventID(last).flatMap { $0.hasPrefix(run + "-") ? Int($0.dropFirst(run.count + 1)) : nil }
    let number = store.feed.join(heard: heard, AllStream(stream, filter, run: run))
    watch(stream, call) { [store] in store.feed.leave(number) }
  }

  /// Registers a stream, so that it is counted, is ended at the stop, and is logged when it has ended.
  private func watch(_ stream: EventStream, _ call: Call, _ leave: @escaping @Sendable () -> Void) {
    let record = call.record(status: 200, result: nil)
    let begin = Monotonic.now()
    streams.add(stream)
    stream.whenOver { [streams, telemetry] reason, events in
      leave()
      streams.remove(stream, reason, events: events)
      var record = record
      record.time = Int(WallClock.now())
      record.nanoseconds += Monotonic.now() - begin
      record.result = "\(reason.rawValue):\(events)"
      telemetry.told(record)
    }
    // The key may have been revoked since it was checked.
    if !isHeld(stream) { stream.end(.credential) }
  }

  /// Ends the streams of operators whose key has been revoked.
  func endUnheldStreams() { streams.end { !self.isHeld($0) } }

  private func isHeld(_ stream: EventStream) -> Bool { stream.principal.role == .session || settings.operators.holds(stream.principal) }

  /// The URL may contain a ticket, so browsers must not send it as a referrer.
  private static let streamHead = Response(
    status: 200,
    headers: [
      "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no", "Referrer-Policy": "no-referrer",
    ])
}

extension Call {
  /// The id of the last event that the client received. When a browser reconnects, it sends the id in a header, whatever its URL contains.
  fileprivate func lastEventID(_ query: String?) -> String? { request.headers["Last-Event-ID"] ?? query }
}
