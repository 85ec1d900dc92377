import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Requests with an idempotency key. The response is encoded before the commit and stored in the same transaction, so a repeated request
/// gets the same bytes. Thread-safe.
final class OnceReplies: Sendable {
  let derivation: Derivation
  private let store: Store
  private let responses: SessionResponses
  private let telemetry: Telemetry

  init(_ store: Store, _ responses: SessionResponses, _ telemetry: Telemetry) {
    derivation = Derivation(key: store.derivationKey)
    self.store = store
    self.responses = responses
    self.telemetry = telemetry
  }

  /// Returns the idempotency key of a request and the fingerprint of the request; `nil` if the request has no idempotency key. Throws if
  /// the key is malformed.
  func key(of call: Call, as role: Role) throws(Rejection) -> RequestKey? {
    guard let name = try IdempotencyKey(call.request.headers) else { return nil }
    return derivation.request(name, role, call.request)
  }

  /// Returns the id and the secret of the session that an operator's request creates. If the request has an idempotency key, id and secret
  /// are derived from the key, and `print` is the fingerprint of the request.
  func identity(of call: Call) throws(Rejection) -> (id: String, secret: String, print: Fingerprint?) {
    guard let key = try IdempotencyKey(call.request.headers) else { return (Identity.sessionID(), Identity.secret(), nil) }
    try key.requireSecrecy()
    let derived = derivation.session(key, by: .operator, call.request)
    return (derived.id, derived.secret, derived.print)
  }

  /// Performs the work of a request under an idempotency key and responds, or sends the stored response of the first request with the key.
  /// The stored response has neither predictions nor the difference of the state.
  func post(
    _ work: Post.Work, _ style: PostStyle, to session: String, matching expected: [RevisionTag]?, _ key: RequestKey, _ call: Call
  ) {
    var stored = style
    (stored.preferences.predicts, stored.preferences.wantsReplica) = (false, false)
    let once = Once(key) { [stored] result, session in self.rendered(result, session, call, stored) }
    store.post(Post(work, to: session, matching: expected, origin: call.origin), once: once) { result in
      guard style.preferences.addition != nil, case .success(let given) = result, let posted = given.posted else {
        return self.give(call, result)
      }
      self.responses.withPredictions(of: posted.session, style, call) { predictions in
        let completion = AnswerCompletion(applied: style.preferences.applied ?? "") {
          let replica = style.isArray ? nil : posted.performed.last.flatMap { style.replica(of: $0, by: posted.session.definition.reducer) }
          return (predictions, replica)
        }
        self.give(call, result, completedBy: completion)
      }
    }
  }

  /// Sends the stored response, or rejects the call with the fault. `secret` is inserted at the gap in the stored body. Only the first
  /// response has the members of `completion`, which are computed outside of the writer's thread and are not stored.
  func give(
    _ call: Call, _ result: Result<GivenAnswer, StoreFault>, secret: String? = nil, completedBy completion: AnswerCompletion? = nil
  ) {
    switch result {
    case .failure(let fault): call.reject(fault)
    case .success(let given):
      if given.isReplay { telemetry.replayed() }
      guard !given.isReplay, let completion else { return call.answer(Response(given, secret: secret), result: given.word) }
      call.answer(result: given.word) {
        Response(given.completed(by: completion), secret: secret)
      }
    }
  }

  /// Encodes the response to commands that were performed or refused, in the form that is stored. Runs on the writer's thread.
  func rendered(
    _ result: Result<Posted, StoreFault>, _ session: Session, _ call: Call, _ style: PostStyle
  ) -> (RenderedAnswer, word: String) {
    switch result {
    case .success(let posted):
      let (response, word) = call.response(to: answer(to: posted, style))
      return (RenderedAnswer(response), word ?? "")
    case .failure(let fault):
      var rejection = call.rejection(fault, isArray: style.isArray, url: style.url)
      if fault.isSuppression { telemetry.suppressed() }
      if rejection.problem.status == 409 { rejection.problem.accepts = session.definition.reducer.accepts(session.state) }
      return (RenderedAnswer(call.response(to: rejection)), rejection.problem.code)
    }
  }

  /// Creates the response to performed commands, and counts the notifications that the definition suppressed.
  private func answer(to posted: Posted, _ style: PostStyle) -> PostAnswer {
    telemetry.countSuppressions(of: posted)
    return PostAnswer(posted, style)
  }
}

extension RenderedAnswer {
  /// Creates the stored form of a response. `secret` is not stored: the stored body has a gap of the same length.
  init(_ response: Response, without secret: String? = nil) {
    let lines = response.headers.lines.filter { $0 != UInt8(ascii: "\r") }
    self.init(status: response.status, head: String(decoding: lines, as: UTF8.self), body: response.body)
    guard let secret, let range = body.firstRange(of: Array(secret.utf8)) else { return }
    hole = range.lowerBound
    body.replaceSubrange(range, with: repeatElement(UInt8(ascii: "*"), count: range.count))
  }
}

/// The additional members of the first response to a request with an idempotency key.
struct AnswerCompletion: Sendable {
  /// The value of the header `Preference-Applied`.
  let applied: String
  /// Computes the members. A member that is `nil` is omitted.
  let members: @Sendable () -> (predictions: [PredictionBody]?, replica: ReplicaBody?)
}

extension GivenAnswer {
  /// Returns the response with the members of `completion` at the end of its body.
  fileprivate func completed(by completion: AnswerCompletion) -> GivenAnswer {
    var given = self
    let lines = content.head.split(separator: "\n").filter { !$0.hasPrefix("Preference-Applied:") }
    given.content.head = (lines + ["Preference-Applied: \(completion.applied)"]).map { "\($0)\n" }.joined()
    let (predictions, replica) = completion.members()
    if let predictions { given.add(predictions, as: "predictions") }
    if let replica { given.add(replica, as: "replica") }
    return given
  }

  /// Adds a member to the body. Encoding cannot fail, because responses contain no number that JSON cannot represent.
  private mutating func add(_ value: some JSONWritable, as name: String) {
    guard let end = content.body.lastIndex(of: UInt8(ascii: "}")), let json = try? JSONText.bytes(value) else { return }
    content.body.replaceSubrange(end..<end, with: Array(",\"\(name)\":".utf8) + json.dropLast())
  }
}

extension Response {
  /// Creates the complete response from its stored form. Adds the time until which the response is stored (`Idempotency-Expires`), and a
  /// header that marks a repetition.
  fileprivate init(_ given: GivenAnswer, secret: String?) {
    var body = given.content.body
    if let secret, let hole = given.content.hole, hole >= 0, hole + secret.utf8.count <= body.count {
      body.replaceSubrange(hole..<(hole + secret.utf8.count), with: secret.utf8)
    }
    self.init(status: given.content.status, body: body)
    headers.reserve(256)
    var head = given.content.head
    head.withUTF8 { headers.add(linesOf: $0) }
    headers.add("Idempotency-Expires", HTTPDate.text(given.until / 1_000))
    if given.isReplay { headers.add("Idempotency-Replayed", "true") }
  }
}

extension Headers {
  /// Adds the fields of a stored head. Each line contains a name, a colon, a blank and a value.
  fileprivate mutating func add(linesOf head: UnsafeBufferPointer<UInt8>) {
    var begin = 0
    while let end = head[begin...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = head[begin..<end]
      begin = end + 1
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
      add(
        name: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: line[..<colon])),
        value: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: value)))
    }
  }
}

extension StoreFault {
  /// Whether the fault means that the definition suppressed a notification.
  var isSuppression: Bool { if case .refused(let refusal, _, _) = self { refusal.code == .suppressed } else { false } }
}
