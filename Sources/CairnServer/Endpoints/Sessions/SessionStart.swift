import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore

/// Creates new, copied and imported sessions, and responds with them. Thread-safe.
final class SessionStart: Sendable {
  private let store: Store
  private let responses: SessionResponses
  private let once: OnceReplies
  private let limiter: RateLimiter

  init(_ store: Store, _ responses: SessionResponses, _ once: OnceReplies, _ limiter: RateLimiter) {
    self.store = store
    self.responses = responses
    self.once = once
    self.limiter = limiter
  }

  /// Creates a session and responds. `print` is the fingerprint of a request with an idempotency key; `nil` if the request has no key.
  /// `result` is the outcome for the log.
  func run(
    _ new: NewSession, print: Fingerprint?, secret: String, url: String = "/open", result word: String = "created", _ call: Call
  ) {
    let preferences = responses.preferences(of: call, app: new.definition.definition.app)
    if let print { return run(new, print: print, secret: secret, url: url, word, preferences, call) }
    let isOperator = call.operatorName != nil
    store.create(new) { result in
      switch result {
      case .failure(let fault):
        if !isOperator { self.limiter.failed(from: call.address) }
        call.reject(fault)
      case .success(let created):
        if !isOperator { self.limiter.started(created.session.id, from: call.address) }
        call.started(created.session.identity)
        call.reached(created.session.state.revision)
        var headers = self.location(of: created)
        if let addition = preferences.addition { headers.add("Preference-Applied", addition.rawValue) }
        let head = headers
        self.responses.withPredictions(of: created.session, preferences.addition, call) { predictions in
          call.answer(
            status: 201, headers: head, result: word,
            LazyBody {
              var body = self.body(of: created, secret: secret, url: url)
              self.responses.add(preferences.addition, predictions, to: &body, of: created.session)
              return body
            })
        }
      }
    }
  }

  /// Creates a session with an idempotency key, or sends the stored response of the first request with the key. The session's secret is
  /// derived from the key and is not part of the stored response.
  private func run(
    _ new: NewSession, print: Fingerprint, secret: String, url: String, _ outcome: String, _ preferences: Preferences, _ call: Call
  ) {
    let last = Lock<Session?>(nil)
    let creation = KeyedCreation(new, print: print) { created in
      if preferences.addition != nil { last.withLock { $0 = created.session } }
      call.started(created.session.identity)
      call.reached(created.session.state.revision)
      let body = self.body(of: created, secret: secret, url: url)
      let (response, word) = call.response(status: 201, headers: self.location(of: created), result: outcome) { pretty in
        try JSONText.bytes(body, pretty: pretty)
      }
      return (RenderedAnswer(response, without: secret), word ?? "")
    }
    store.create(creation) { (result: Result<GivenAnswer, StoreFault>) in
      if call.operatorName == nil {
        if case .success(let given) = result, !given.isReplay {
          self.limiter.started(new.id, from: call.address)
        } else {
          self.limiter.failed(from: call.address)
        }
      }
      guard let session = last.withLock({ $0 }) else { return self.once.give(call, result, secret: secret) }
      self.responses.withPredictions(of: session, preferences.addition, call) { predictions in
        let completion = AnswerCompletion(applied: preferences.addition?.rawValue ?? "") {
          (predictions, preferences.addition == .replica ? self.responses.replica(of: session) : nil)
        }
        self.once.give(call, result, secret: secret, completedBy: completion)
      }
    }
  }

  private func location(of created: Created) -> Headers {
    var headers = created.session.tag.headers()
    headers.add("Location", "/v1/sessions/\(created.session.id)")
    responses.addEngine(to: &headers, for: created.session)
    return headers
  }

  private func body(of created: Created, secret: String, url: String) -> SessionBody {
    var body = responses.body(of: created.session)
    body.secret = secret
    switch created.opened {
    case nil: break
    case .success(let performed): body.opened = .performed(ActionBody(performed.transition, revision: performed.revision))
    case .failure(let refusal): body.opened = .refused(Problem(refusal, url: url))
    }
    return body
  }
}
