import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

// Conditional GET requests of a session and long polls.
extension SessionEndpoints {
  /// The view of a session that an endpoint returns.
  enum View {
    case session(Addition?)
    case stack
  }

  /// Responds with a session, or with 304 if the client already has it. A long poll sends the 304 only at its deadline.
  func show(_ session: Session, _ call: Call, _ poll: LongPoll?, as view: View) throws(Rejection) {
    guard try call.hasCopy(of: session.tag) else {
      return call.answerHere(headers: headers(of: session, poll, view)) {
        try bytes(of: session, as: view, pretty: $0)
      }
    }
    guard let poll, call.method == .get else { return call.answer(Response(status: 304, headers: session.tag.headers())) }
    wait(call, poll, until: store.clock.now() + poll.milliseconds, as: view)
  }

  /// Responds as soon as the session differs from the client's copy, and at the latest at `time` (milliseconds since 1970). No thread
  /// blocks during the wait.
  private func wait(_ call: Call, _ poll: LongPoll, until time: Int, as view: View) {
    // Subscribes before the session is read, so that no change in between is missed.
    let subscription = store.feed.subscription(call.parameter)
    store.session(call.parameter) { result in
      do throws(Rejection) {
        let session = try self.stillSeen(result, call)
        let headers = self.headers(of: session, poll, view)
        guard try call.hasCopy(of: session.tag) else {
          return call.answer(headers: headers) { try self.bytes(of: session, as: view, pretty: $0) }
        }
        if self.store.clock.now() >= time { return call.answer(Response(status: 304, headers: headers)) }
        subscription.wait(past: session, until: time, while: call.isWanted) { ending in
          switch ending {
          case .changed: self.wait(call, poll, until: time, as: view)
          case .timeOver: call.answer(Response(status: 304, headers: headers))
          case .stopping: call.reject(call.rejection(.stopping))
          }
        }
      } catch {
        call.reject(error)
      }
    }
  }

  /// Returns the headers of a session's response. `Preference-Applied` confirms the applied preferences (RFC 7240, 3).
  private func headers(of session: Session, _ poll: LongPoll?, _ view: View) -> Headers {
    guard case .session(let addition) = view else { return session.tag.headers(with: Self.applied([poll?.applied])) }
    var headers = session.tag.headers(with: Self.applied([poll?.applied, addition?.rawValue]))
    responses.addEngine(to: &headers, for: session)
    return headers
  }

  private static func applied(_ preferences: [String?]) -> Headers? {
    let applied = preferences.compactMap { $0 }
    return applied.isEmpty ? nil : ["Preference-Applied": applied.joined(separator: ", ")]
  }

  private func bytes(of session: Session, as view: View, pretty: Bool) throws -> [UInt8] {
    switch view {
    case .session(nil): try responses.bytes(of: session, pretty: pretty)
    case .session(let addition?): try responses.bytes(of: session, with: addition, pretty: pretty)
    case .stack: try JSONText.bytes(StackBody(session.state, session.definition.reducer), pretty: pretty)
    }
  }

  /// Authorizes the waiting caller again, and returns the session. Throws 401 if the operator's key has been removed, or if the caller has
  /// a session's secret and the session has been deleted. Throws any other fault of the store.
  private func stillSeen(_ result: Result<Session, StoreFault>, _ call: Call) throws(Rejection) -> Session {
    if let principal = call.knownAsker, principal.role == .operator, !access.operators.holds(principal) { throw Self.closed }
    switch result {
    case .success(let session): return session
    case .failure(.unknownSession) where call.operatorName == nil: throw Self.closed
    case .failure(let fault): throw call.rejection(fault)
    }
  }

  private static var closed: Rejection {
    Rejection(.unauthorized, "the credential of this request has been revoked", headers: Access.challenge)
  }
}
