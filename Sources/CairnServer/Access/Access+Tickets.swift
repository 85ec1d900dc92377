import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Authorizes callers who send a ticket instead of credentials.
extension Access {
  /// Authorizes the caller by credentials or by a ticket, and finds the session of the call. Then calls `next` on any thread with the
  /// session and the caller.
  func withSession(_ call: Call, ticket: String?, _ next: @escaping @Sendable (Session, Principal) throws(Rejection) -> Void) {
    guard let ticket else {
      return withSession(call) { session, _ throws(Rejection) in try next(session, call.knownAsker ?? .session) }
    }
    guard call.hasSessionID else { return call.reject(noTicket(call)) }
    useTicket(ticket, for: call.parameter, call) { principal throws(Rejection) in
      guard let principal, principal.role == .session || self.operators.holds(principal) else { throw self.noTicket(call) }
      call.isFrom(principal)
      self.withSession(of: principal, call, next)
    }
  }

  /// Reads the session for a caller whose ticket is valid.
  private func withSession(
    of principal: Principal, _ call: Call, _ next: @escaping @Sendable (Session, Principal) throws(Rejection) -> Void
  ) {
    store.session(call.parameter) { result in
      do throws(Rejection) {
        switch result {
        case .success(let session):
          if principal.role == .session {
            do throws(RateLimiter.Refusal) {
              try self.limiter.request(of: session.id)
            } catch {
              throw self.refused(error, call)
            }
          }
          try next(session, principal)
        case .failure(.unknownSession) where principal.role == .session: throw self.noTicket(call)
        case .failure(let fault): throw call.rejection(fault)
        }
      } catch {
        call.reject(error)
      }
    }
  }

  /// Creates the response to an invalid ticket, and counts the ticket as a wrong credential.
  func noTicket(_ call: Call) -> Rejection {
    unauthorized(call, .unreadable, "invalid or expired ticket: a ticket opens one stream, once, within 30 s; request a new one")
  }

  /// Authenticates an operator by the credentials or by a ticket, and calls `next` on any thread. Rejects the call if the caller is not an
  /// operator.
  func withOperator(
    _ call: Call, ticket: String?, for what: String, _ next: @escaping @Sendable (Principal) throws(Rejection) -> Void
  ) throws(Rejection) {
    guard let ticket else { return try next(try requireOperator(call, for: what)) }
    useTicket(ticket, for: nil, call) { principal throws(Rejection) in
      guard let principal, self.operators.holds(principal) else { throw self.noTicket(call) }
      call.isFrom(principal)
      try next(principal)
    }
  }

  /// Calls `next` on any thread with the caller to whom a ticket was issued, or with `nil` if the ticket is not valid for this stream. A
  /// valid ticket cannot be used again, unless the method is HEAD. If nodes share the journal, another node may have issued the ticket.
  func useTicket(
    _ text: String, for session: String?, _ call: Call, _ next: @escaping @Sendable (Principal?) throws(Rejection) -> Void
  ) {
    let isLook = call.method == .head
    let finish: @Sendable (Result<Principal?, Rejection>) -> Void = { result in
      do throws(Rejection) {
        try next(try result.get())
      } catch {
        call.reject(error)
      }
    }
    guard store.isShared else { return finish(.success(tickets.use(text, for: session, isLook: isLook))) }
    store.takeTicket(Identity.hash(text), for: session ?? "", isLook: isLook) { result in
      // The content of an operator's ticket is the hash of the operator's key. The content of a session's ticket is empty.
      finish(
        result.mapError { call.rejection($0) }.map { content in
          content.flatMap { $0.isEmpty ? .session : self.operators.principal(withKeyHash: $0) }
        })
    }
  }
}
