import CairnAPI
import CairnCore
import CairnHTTP
import CairnRuntime
import CairnStore
import Synchronization

/// One request on its way through the service. It is answered once; the first answer counts. Any thread.
final class Call: Sendable {
  let request: Request
  let method: RequestRecord.Method
  /// nil: no endpoint has this path.
  let route: Route?
  /// The value of the braces in the route.
  let parameter: String
  /// Whether that could be a session's id.
  let hasSessionID: Bool
  let isPretty: Bool
  /// Where it comes from: the connection's address, or what trusted proxies say.
  let address: String
  /// Whether it came by the operators' port.
  let isAdmin: Bool
  /// Its slot among its client's simultaneous requests; `nil`: they are not counted.
  let seat: Seat?
  /// The role of the caller, once it is known.
  private let principal = SetOnce<Principal>()
  /// The session that was created.
  private let birth = SetOnce<Birth>()
  /// The revision that its session was led to; -1: none.
  private let revision = Atomic(-1)
  /// Of the request: the client's, if it sent one that is safe to repeat, else the service's own.
  let requestID: String
  private let service: Service
  private let responder: Responder
  private let start = Monotonic.now()
  private let isDone = Atomic(false)

  init(_ request: Request, _ responder: Responder, _ service: Service, isAdmin: Bool = false) {
    let segments = request.segments
    let match = Route.of(segments)
    self.request = request
    requestID = request.knownID
    method = RequestRecord.Method(request)
    self.responder = responder
    self.service = service
    route = match?.route
    let place = match?.parameter
    parameter = place.map(segments.text) ?? ""
    hasSessionID = place.map { segments.isSegment($0, Identity.isSessionID) } ?? false
    self.isAdmin = isAdmin
    let peer = request.remoteAddress
    let isForwarded: Bool
    (address, isForwarded) = service.limiter.proxies.isEmpty ? (peer, false) : service.limiter.proxies.client(of: peer, request.headers)
    seat = isForwarded ? Seat(service.limiter, address) : nil
    isPretty = !request.query.isEmpty && request.query.contains { $0.name == "pretty" && $0.value != "false" && $0.value != "0" }
    service.entered()
  }

  deinit {
    // A response that the front replaced is logged there.
    if !isDone.load(ordering: .relaxed), !responder.wasRefused { service.telemetry.answered(record(status: 499, result: "closed-early")) }
    service.left()
  }

  /// Notes the role of the caller.
  func isFrom(_ principal: Principal) { self.principal.set(principal) }

  /// The role of the caller; nil: not known yet.
  var knownAsker: Principal? { principal.value }

  /// The operator that asks, by name; nil: none does.
  var operatorName: String? { knownAsker.flatMap { $0.role == .operator ? $0.name : nil } }

  /// A session was started by it.
  func started(_ birth: Birth) { self.birth.set(birth) }

  /// The origin that is stored with its entries.
  var origin: EntryOrigin { EntryOrigin(author: operatorName, request: requestID) }

  /// It has led its session to a revision.
  func reached(_ revision: Int) { self.revision.store(revision, ordering: .relaxed) }

  /// Whether its client still waits. Any thread.
  var isWanted: @Sendable () -> Bool { { [responder] in responder.isAwaited } }

  /// Answers with a body that is encoded on the connection's thread. `result`: the outcome in a word, for the log.
  func answer(status: Int = 200, headers: Headers = [:], result: String? = nil, _ body: some JSONWritable & Sendable) {
    answer(status: status, headers: headers, result: result) { pretty in try JSONText.bytes(body, pretty: pretty) }
  }

  /// Answers with JSON that `bytes` gives on the connection's thread, told whether people read it.
  func answer(status: Int = 200, headers: Headers, result: String? = nil, bytes: @escaping @Sendable (Bool) throws -> [UInt8]) {
    send { self.response(status: status, headers: headers, result: result, bytes: bytes) }
  }

  /// The same on this thread: a connection's or the reader's, never the writer's, which has no time.
  func answerHere(status: Int = 200, headers: consuming Headers, result: String? = nil, bytes: (Bool) throws -> [UInt8]) {
    var (response, result) = response(status: status, headers: headers, result: result, bytes: bytes)
    complete(&response)
    if responder.send(response) { note(status: response.status, result: result) }
  }

  /// Answers as it is.
  func answer(_ response: Response, result: String? = nil) { send { (response, result) } }

  /// Answers a post with what `make` returns on the connection's thread.
  func answer(_ make: @escaping @Sendable () -> PostAnswer) {
    responder.send { [self] in
      let (response, result) = response(to: make())
      return completed(response, result)
    }
  }

  /// Begins a response without an end; the request no longer counts as being in progress. nil: the client has left.
  func stream(_ head: Response) -> ByteStream? {
    var limits = StreamLimits()
    limits.waiting = 1 << 20
    var head = head
    complete(&head)
    guard let stream = responder.stream(head, limits) else { return nil }
    isDone.store(true, ordering: .relaxed)
    service.telemetry.counted(record(status: head.status, result: nil))
    return stream
  }

  /// Answers with a problem. `result`: another word for the log than its code.
  func reject(_ rejection: Rejection, result: String? = nil) { send { (self.response(to: rejection), result ?? rejection.problem.code) } }

  private func send(_ make: @escaping @Sendable () -> (Response, String?)) {
    responder.send { [self] in
      let (response, result) = make()
      return completed(response, result)
    }
  }

  /// The response with what each one carries; it is counted and logged.
  private func completed(_ response: consuming Response, _ result: String?) -> Response {
    complete(&response)
    note(status: response.status, result: result)
    return response
  }

  private func complete(_ response: inout Response) {
    response.addCommonHeaders(requestID: requestID)
    if !isAdmin { response.addCrossOriginHeaders(service.settings.origins, request) }
  }

  private func note(status: Int, result: String?) {
    isDone.store(true, ordering: .relaxed)
    service.telemetry.answered(record(status: status, result: result))
  }

  /// An answer of JSON as it goes out, and its outcome in a word. Any thread.
  func response(status: Int, headers: consuming Headers, result: String?, bytes: (Bool) throws -> [UInt8]) -> (Response, String?) {
    do {
      let body = try bytes(isPretty)
      headers.add(lines: "Content-Type: application/json\r\n")
      return (Response(status: status, headers: headers, body: body), result)
    } catch {
      return (response(to: Rejection(.internal, "the answer holds a number that JSON has not")), ProblemCode.internal.rawValue)
    }
  }

  /// An answer as it goes out, and its outcome in a word.
  func response(to answer: PostAnswer) -> (Response, String?) {
    response(status: answer.status, headers: answer.headers, result: answer.result) { try JSONText.bytes(answer.body, pretty: $0) }
  }

  /// A problem as it goes out.
  func response(to rejection: Rejection) -> Response {
    Response(rejection, requestID: requestID, traceID: traceID, pretty: isPretty)
  }

  private var traceID: String? { TraceParent.traceID(request.headers["traceparent"]) }

  /// The record for the log at this moment.
  func record(status: Int, result: String?) -> RequestRecord {
    let revision = revision.load(ordering: .relaxed)
    return RequestRecord(
      method: method, route: route, status: status, time: Int(WallClock.now()), nanoseconds: Monotonic.now() - start,
      session: hasSessionID ? parameter : birth.value?.id, requestID: requestID, traceID: traceID, result: result, address: address,
      principal: principal.value, revision: revision >= 0 ? revision : nil)
  }
}

extension Response {
  /// A problem.
  init(_ rejection: Rejection, requestID: String?, traceID: String?, pretty: Bool) {
    var problem = rejection.problem
    problem.instance = requestID.map { "urn:cairn:request:\($0)" }
    problem.traceId = traceID
    // A problem holds only strings and whole numbers: its encoding cannot fail; an empty body would still have the status.
    let body = (try? JSONText.bytes(problem, pretty: pretty)) ?? []
    self.init(status: problem.status, headers: rejection.headers, body: body)
    headers.add("Content-Type", "application/problem+json")
  }

  /// The headers of every response. It has `no-store` unless it sets its own `Cache-Control`.
  mutating func addCommonHeaders(requestID: String?) {
    if headers.hasCacheControl {
      headers.add(lines: "X-Content-Type-Options: nosniff\r\n")
    } else {
      headers.add(lines: "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n")
    }
    // Only safe characters, from the client or our own.
    if let requestID { headers.add("X-Request-Id", legal: requestID) }
  }
}
