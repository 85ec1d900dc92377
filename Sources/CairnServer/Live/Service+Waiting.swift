import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// A GET of what changes: at once, or once it has changed.
extension Service {
  /// A session as an endpoint shows it; told whether people read it.
  typealias View = @Sendable (Session, Bool) throws -> [UInt8]

  /// Shows a session, or answers that the client has it already. With a wait, the latter is only sent after it.
  func show(_ session: Session, _ call: Call, _ patience: Patience?, as view: @escaping View) throws(Rejection) {
    let headers = Self.tag(session.tag)
    guard try hasCopy(call, of: session.tag) else {
      return call.answerHere(headers: headers.adding(patience)) { try view(session, $0) }
    }
    guard let patience, call.method == .get else { return call.answer(Response(status: 304, headers: headers)) }
    wait(call, patience, until: store.clock.now() + patience.milliseconds, as: view)
  }

  /// Answers when the session is another one than the client has, or the time (milliseconds since 1970) has come. No thread waits.
  private func wait(_ call: Call, _ patience: Patience, until time: Int, as view: @escaping View) {
    // From here on nothing can be missed.
    let ear = store.feed.ear(call.parameter)
    store.session(call.parameter) { result in
      do throws(Rejection) {
        let session = try self.stillSeen(result, call)
        let revision = session.state.revision
        let headers = Self.tag(session.tag).adding(patience)
        guard try self.hasCopy(call, of: session.tag) else { return call.answer(headers: headers) { try view(session, $0) } }
        if self.store.clock.now() >= time { return call.answer(Response(status: 304, headers: headers)) }
        ear.wait(past: revision, until: time, while: call.isWanted) { ending in
          switch ending {
          case .changed: self.wait(call, patience, until: time, as: view)
          case .timeOver: call.answer(Response(status: 304, headers: headers))
          case .stopping: call.reject(self.rejection(.stopping))
          }
        }
      } catch {
        call.reject(error)
      }
    }
  }

  /// The result of a GET at this moment, for a caller that was authorized before.
  private func stillSeen(_ result: Result<Session, StoreFault>, _ call: Call) throws(Rejection) -> Session {
    if let asker = call.knownAsker, asker.role == .operator, !settings.operators.holds(asker) { throw Self.closed }
    switch result {
    case .success(let session): return session
    case .failure(.unknownSession) where call.operatorName == nil: throw Self.closed
    case .failure(let fault): throw rejection(fault)
    }
  }

  private static var closed: Rejection {
    Rejection(.unauthorized, "what this was asked with opens nothing any more", headers: challenge)
  }
}

extension Headers {
  /// Adds the header that confirms an applied preference.
  fileprivate func adding(_ patience: Patience?) -> Headers {
    var headers = self
    if let patience { headers.add(patience.applied) }
    return headers
  }
}
