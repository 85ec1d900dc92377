import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore
import Synchronization

/// Streams of events, of one session or of all sessions, and the tickets that open them.
final class LiveEndpoints: Sendable {
  let store: Store
  let access: Access
  let tickets: Tickets
  private let streams: Streams
  private let responses: SessionResponses
  private let telemetry: Telemetry

  init(
    _ store: Store, _ access: Access, _ responses: SessionResponses, _ streams: Streams, _ tickets: Tickets, _ telemetry: Telemetry
  ) {
    self.store = store
    self.access = access
    self.responses = responses
    self.streams = streams
    self.tickets = tickets
    self.telemetry = telemetry
  }

  /// Ends every stream with a final event and responds to waiting requests. New streams and waits are refused.
  func endAll() {
    streams.endAll()
    store.feed.dismiss()
  }

  /// Maximum number of missed entries that a stream sends. A client that has missed more receives the whole session.
  static let mostMissed = 1_000

  func streamSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let (ticket, last) = (query.read(Query.ticket), query.read(Query.lastEventID))
    var preferences = Preferences(call.request.headers)
    if let isAsked = query.read(Query.predict) { preferences.predicts = isAsked }
    if let isAsked = query.read(Query.replica) { preferences.wantsReplica = isAsked }
    try query.end()
    let asked = preferences
    access.withSession(call, ticket: ticket) { session, principal throws(Rejection) in
      guard call.method != .head else { return call.answer(Self.streamHead) }
      if self.streams.isEnding { throw Rejection(StoreFault.stopping) }
      let isBounded = principal.role == .session
      if isBounded, !self.streams.enter(session.id) {
        throw self.access.refused(RateLimiter.Refusal(limit: .streamsPerSession, wait: 1_000_000_000), call)
      }
      let place = StreamPlace(isBounded ? session.id : nil, self.streams)
      // The session is read again after subscribing, so that no change in between is missed.
      let subscription = self.store.feed.subscription(session.id)
      self.store.session(session.id) { result in
        switch result {
        case .failure(let fault): call.reject(fault)
        case .success(let session):
          self.compare(call.lastEventID(last), with: session) {
            self.begin(session, subscription, place, principal, heard: $0, with: self.responses.allowed(asked, session.app).addition, call)
          }
        }
      }
    }
  }

  /// Calls `next` with the tag of the last entry that the client has received. Calls it with `nil` if the client needs the whole session.
  /// This is the case if the client is new or has missed more than `mostMissed` entries, or if the client's last entry was lost in a
  /// restore or forgotten.
  private func compare(_ last: String?, with session: Session, _ next: @escaping @Sendable (RevisionTag?) -> Void) {
    let newest = session.state.revision
    guard let last = last.flatMap({ RevisionTag($0) }), (1...newest).contains(last.revision), newest - last.revision <= Self.mostMissed
    else { return next(nil) }
    guard last.revision < newest else { return next(last.matches(session.tag) ? session.tag : nil) }
    store.tag(of: session.id, at: last.revision) { result in
      guard case .success(let tag?) = result, last.matches(tag) else { return next(nil) }
      next(tag)
    }
  }

  /// Begins the stream. Its first event may contain predictions, which are computed on a reader's thread.
  private func begin(
    _ session: Session, _ subscription: Subscription, _ place: StreamPlace, _ principal: Principal, heard: RevisionTag?,
    with addition: Addition?, _ call: Call
  ) {
    // A resumed stream does not begin with a `reset` event.
    if heard != nil { return begin(session, [], subscription, place, principal, heard: heard, with: addition, call) }
    guard addition == .predictions else {
      return begin(session, responses.resetEvent(session, with: addition), subscription, place, principal, heard: nil, with: addition, call)
    }
    store.compute(session.id, while: call.isWanted) {
      self.responses.resetEvent(session, with: .predictions)
    } reply: { result in
      // The event has no predictions if too many requests wait for the readers.
      let event = (try? result.get()) ?? self.responses.resetEvent(session, with: nil)
      self.begin(session, event, subscription, place, principal, heard: nil, with: addition, call)
    }
  }

  /// Begins the stream. `event` is its first event: empty for a resumed stream, `nil` if the session contains a number that JSON cannot
  /// represent.
  private func begin(
    _ session: Session, _ event: [UInt8]?, _ subscription: Subscription, _ place: StreamPlace, _ principal: Principal,
    heard: RevisionTag?, with addition: Addition?, _ call: Call
  ) {
    guard let event else { return call.reject(Rejection(.internal, "the session contains a number that JSON cannot represent")) }
    var head = Self.streamHead
    if let addition { head.headers.add("Preference-Applied", addition.rawValue) }
    head.body = EventText.retry + event
    guard let bytes = call.stream(head) else { return }
    let stream = EventStream(.session, of: session.id, bytes, for: principal, call.seat)
    if heard == nil { stream.count.add(1, ordering: .relaxed) }
    watch(stream, call) {
      subscription.leave()
      place.leave()
    }
    let listener: any SessionListener =
      addition == .predictions
      ? PredictingStream(stream, store, responses) : SessionStream(stream, hasReplica: addition == .replica, responses)
    subscription.join(behind: heard ?? session.tag, of: session, listener)
  }

  func streamAll(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let filter = AllStream.Filter(app: query.read(Query.app), label: query.read(Query.label))
    let (ticket, last) = (query.read(Query.ticket), query.read(Query.lastEventID))
    try query.end()
    try access.withOperator(call, ticket: ticket, for: "streaming the changes of all sessions") { principal throws(Rejection) in
      try self.streamAll(filter, heard: call.lastEventID(last), for: principal, call)
    }
  }

  private func streamAll(_ filter: AllStream.Filter, heard last: String?, for principal: Principal, _ call: Call) throws(Rejection) {
    guard call.method != .head else { return call.answer(Self.streamHead) }
    if streams.isEnding { throw Rejection(StoreFault.stopping) }
    var head = Self.streamHead
    head.body = EventText.retry
    guard let bytes = call.stream(head) else { return }
    let stream = EventStream(.all, bytes, for: principal, call.seat)
    let run = streams.run
    let received = last.flatMap { $0.hasPrefix(run + "-") ? Int($0.dropFirst(run.count + 1)) : nil }
    let number = store.feed.join(received: received, AllStream(stream, filter, run: run))
    watch(stream, call) { [store] in store.feed.leave(number) }
  }

  /// Counts the stream, registers it so that it ends when the service stops, and logs it when it ends. Calls `leave` when the stream ends.
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
      telemetry.log(record)
    }
    // The operator's key may have been removed after the request was authorized.
    if !isHeld(stream) { stream.end(.credential) }
  }

  /// Ends the streams of each operator whose key has been removed.
  func endUnheldStreams() { streams.end { !self.isHeld($0) } }

  private func isHeld(_ stream: EventStream) -> Bool { stream.principal.role == .session || access.operators.holds(stream.principal) }

  /// The status and headers of every stream. Browsers must not send the address as a referrer, because it may contain a ticket.
  private static let streamHead = Response(
    status: 200,
    headers: [
      "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no", "Referrer-Policy": "no-referrer",
    ])
}

extension Call {
  /// Returns the id of the last event that the client received; `nil` if the client sends no id. The header takes precedence over the
  /// query, because a browser that reconnects sends the header with the original URL.
  fileprivate func lastEventID(_ query: String?) -> String? { request.headers["Last-Event-ID"] ?? query }
}
