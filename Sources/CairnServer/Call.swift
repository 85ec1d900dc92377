import CairnAPI
import CairnCore
import CairnHTTP
import CairnRuntime
import CairnStore
import Synchronization

/// A request in progress. It is answered once; later responses are ignored. Any thread.
final class Call: Sendable {
  let request: Request
  let method: RequestRecord.Method
  /// The route of the path; `nil` if no endpoint has this path.
  let route: Route?
  /// The segment of the path that stands for the route's `{…}`.
  let parameter: String
  /// Whether the parameter has the form of a session id.
  let hasSessionID: Bool
  let isPretty: Bool
  /// The client's address: that of the connection, or the one that trusted proxies report.
  let address: String
  /// Whether the request came through the operators' port.
  let isAdmin: Bool
  /// The slot among its client's simultaneous requests; `nil` if they are not counted.
  let seat: Seat?
  /// The caller, set once it has been authenticated.
  private let principal = SetOnce<Principal>()
  /// The session that the request created.
  private let birth = SetOnce<Birth>()
  /// The newest revision that the request created in its session; -1 if it created none.
  private let revision = Atomic(-1)
  /// The id of the request: the client's `X-Request-Id` if it contains only safe characters, otherwise a generated one.
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
    // If the server replaced the response, it logs the request itself.
    if !isDone.load(ordering: .relaxed), !responder.wasRefused { service.telemetry.answered(record(status: 499, result: "closed-early")) }
    service.left()
  }

  /// Records the caller.
  func isFrom(_ principal: Principal) { self.principal.set(principal) }

  /// The caller; `nil` if it has not been authenticated yet.
  var knownAsker: Principal? { principal.value }

  /// The name of the operator that makes the request; `nil` for any other caller.
  var operatorName: String? { knownAsker.flatMap { $0.role == .operator ? $0.name : nil } }

  /// Records that the request created a session.
  func started(_ birth: Birth) { self.birth.set(birth) }

  /// The origin that is stored with its entries.
  var origin: EntryOrigin { EntryOrigin(author: operatorName, request: requestID) }

  /// Records the revision that the request created in its session.
  func reached(_ revision: Int) { self.revision.store(revision, ordering: .relaxed) }

  /// Whether the client still waits for the response. Any thread.
  var isWanted: @Sendable () -> Bool { { [responder] in responder.isAwaited } }

  /// Sends a response whose body is encoded on the connection's thread. `result` is the outcome in one word, for the log.
  func answer(status: Int = 200, headers: Headers = [:], result: String? = nil, _ body: some JSONWritable & Sendable) {
    answer(status: status, headers: headers, result: result) { pretty in try JSONText.bytes(body, pretty: pretty) }
  }

  /// Sends a response with the JSON that `bytes` returns on the connection's thread. `bytes` receives whether to indent for readers.
  func answer(status: Int = 200, headers: Headers, result: String? = nil, bytes: @escaping @Sendable (Bool) throws -> [UInt8]) {
    send { self.response(status: status, headers: headers, result: result, bytes: bytes) }
  }

  /// Like `answer`, but encodes the body on the current thread, which must not be the writer's.
  func answerHere(status: Int = 200, headers: consuming Headers, result: String? = nil, bytes: (Bool) throws -> [UInt8]) {
    var (response, result) = response(status: status, headers: headers, result: result, bytes: bytes)
    complete(&response)
    if responder.send(response) { note(status: response.status, result: result) }
  }

  /// Sends a complete response.
  func answer(_ response: Response, result: String? = nil) { send { (response, result) } }

  /// Sends the response to a POST, which `make` builds on the connection's thread.
  func answer(_ make: @escaping @Sendable () -> PostAnswer) {
    responder.send { [self] in
      let (response, result) = response(to: make())
      return completed(response, result)
    }
  }

  /// Starts a response without an end. The request no longer counts as being in progress. Returns `nil` if the client has disconnected.
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

  /// Sends a problem. `result` replaces the problem's code in the log.
  func reject(_ rejection: Rejection, result: String? = nil) { send { (self.response(to: rejection), result ?? rejection.problem.code) } }

  private func send(_ make: @escaping @Sendable () -> (Response, String?)) {
    responder.send { [self] in
      let (response, result) = make()
      return completed(response, result)
    }
  }

  /// Adds the common headers to a response, counts it and logs it.
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

  /// A JSON response, and its outcome in one word. Any thread.
  func response(status: Int, headers: consuming Headers, result: String?, bytes: (Bool) throws -> [UInt8]) -> (Response, String?) {
    do {
      let body = try bytes(isPretty)
      headers.add(lines: "Content-Type: application/json\r\n")
      return (Response(status: status, headers: headers, body: body), result)
    } catch {
      return (response(to: Rejection(.internal, "the answer holds a number that JSON has not")), ProblemCode.internal.rawValue)
    }
  }

  /// The response to a POST, and its outcome in one word.
  func response(to answer: PostAnswer) -> (Response, String?) {
    response(status: answer.status, headers: answer.headers, result: answer.result) { try JSONText.bytes(answer.body, pretty: $0) }
  }

  /// The response for a problem.
  func response(to rejection: Rejection) -> Response {
    Response(rejection, requestID: requestID, traceID: traceID, pretty: isPretty)
  }

  private var traceID: String? { TraceParent.traceID(request.headers["traceparent"]) }

  /// The record of the request for the log.
  func record(status: Int, result: String?) -> RequestRecord {
    let revision = revision.load(ordering: .relaxed)
    return RequestRecord(
      method: method, route: route, status: status, time: Int(WallClock.now()), nanoseconds: Monotonic.now() - start,
      session: hasSessionID ? parameter : birth.value?.id, requestID: requestID, traceID: traceID, result: result, address: address,
      principal: principal.value, revision: revision >= 0 ? revision : nil)
  }
}

extension Response {
  /// Creates the response for a problem.
  init(_ rejection: Rejection, requestID: String?, traceID: String?, pretty: Bool) {
    var problem = rejection.problem
    problem.instance = requestID.map { "urn:cairn:request:\($0)" }
    problem.traceId = traceID
    // A problem contains only strings and integers, so encoding it cannot fail. If it did, the response would still have the status.
    let body = (try? JSONText.bytes(problem, pretty: pretty)) ?? []
    self.init(status: problem.status, headers: rejection.headers, body: body)
    headers.add("Content-Type", "application/problem+json")
  }

  /// Adds the headers that every response has. Adds `no-store` unless the response has a `Cache-Control` of its own.
  mutating func addCommonHeaders(requestID: String?) {
    if headers.hasCacheControl {
      headers.add(lines: "X-Content-Type-Options: nosniff\r\n")
    } else {
      headers.add(lines: "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n")
    }
    // The id contains only safe characters.
    if let requestID { headers.add("X-Request-Id", legal: requestID) }
  }
}
