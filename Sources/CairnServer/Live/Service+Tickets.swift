import CairnAPI
import CairnHTTP
import CairnStore

// Tickets, for clients that cannot send credentials when they open a stream.
extension Service {
  func sellTicket(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    withSession(call, ticket: nil) { session, principal throws(Rejection) in try self.sell(to: principal, for: session.id, call) }
  }

  func sellTicketForAll(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try sell(to: try requireOperator(call, for: "listening to all sessions"), for: nil, call)
  }

  /// Authenticates an operator by the credentials or by a ticket, and calls `next` on any thread. Rejects the call if the caller is not an operator.
  func withOperator(
    _ call: Call, ticket: String?, for what: String, _ next: @escaping @Sendable (Principal) throws(Rejection) -> Void
  ) throws(Rejection) {
    guard let ticket else { return try next(try requireOperator(call, for: what)) }
    useTicket(ticket, for: nil, call) { principal throws(Rejection) in
      guard let principal, self.settings.operators.holds(principal) else { throw self.noTicket(call) }
      call.isFrom(principal)
      try next(principal)
    }
  }

  /// Calls `next` on any thread with the caller to whom a ticket was issued; with `nil` if the ticket is not valid for this stream. A valid ticket is
  /// used up, unless the method is HEAD. If nodes share the journal, the ticket may have been issued by another one.
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
      // The content of an operator's ticket is the hash of the key; that of a session's is empty.
      finish(
        result.mapError { self.rejection($0) }.map { content in
          content.flatMap { $0.isEmpty ? .session : self.settings.operators.principal(withKeyHash: $0) }
        })
    }
  }

  private func sell(to principal: Principal, for session: String?, _ call: Call) throws(Rejection) {
    guard !store.isShared else { return sellShared(to: principal, for: session, call) }
    do throws(Tickets.Refusal) {
      let (text, end) = try tickets.sell(to: principal, for: session)
      call.answer(status: 201, headers: [:], result: "ticket", TicketBody(text, expiresAt: end))
    } catch {
      switch error {
      case .tooMany: throw tooManyTickets(call)
      case .full: throw Rejection(StoreFault.queueFull)
      }
    }
  }

  /// Issues a ticket that any node accepts.
  private func sellShared(to principal: Principal, for session: String?, _ call: Call) {
    let text = Identity.ticket()
    let end = store.clock.now() + Tickets.life
    store.keepTicket(
      Identity.hash(text), principal.role == .operator ? principal.keyHash : [], for: session ?? "", milliseconds: Tickets.life,
      limit: Tickets.limit
    ) { result in
      switch result {
      case .failure(let fault): call.reject(self.rejection(fault))
      case .success(false): call.reject(self.tooManyTickets(call))
      case .success(true): call.answer(status: 201, headers: [:], result: "ticket", TicketBody(text, expiresAt: end))
      }
    }
  }

  private func tooManyTickets(_ call: Call) -> Rejection {
    refused(RateLimiter.Refusal(limit: .tickets, wait: UInt64(Tickets.life) * 1_000_000), call)
  }
}
