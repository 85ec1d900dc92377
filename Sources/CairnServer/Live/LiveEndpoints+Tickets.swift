import CairnAPI
import CairnHTTP
import CairnStore

// Issues tickets to clients that cannot send credentials when they open a stream.
extension LiveEndpoints {
  func sellTicket(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    access.withSession(call, ticket: nil) { session, principal throws(Rejection) in try self.sell(to: principal, for: session.id, call) }
  }

  func sellTicketForAll(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    try sell(to: try access.requireOperator(call, for: "streaming the changes of all sessions"), for: nil, call)
  }

  private func sell(to principal: Principal, for session: String?, _ call: Call) throws(Rejection) {
    guard !store.isShared else { return sellShared(to: principal, for: session, call) }
    do throws(Tickets.Refusal) {
      let (text, end) = try tickets.sell(to: principal, for: session)
      call.answer(status: 201, headers: [:], result: "ticket", TicketBody(text, expiresAt: end))
    } catch {
      switch error {
      case .tooMany: throw tooManyTickets(call)
      case .full:
        let detail = "the maximum of \(Tickets.most) unused tickets is reached; try again later"
        throw Rejection(.overloaded, detail, headers: ["Retry-After": "1"])
      }
    }
  }

  /// Issues a ticket that is valid on every node that shares the journal.
  private func sellShared(to principal: Principal, for session: String?, _ call: Call) {
    let text = Identity.ticket()
    let end = store.clock.now() + Tickets.life
    store.keepTicket(
      Identity.hash(text), principal.role == .operator ? principal.keyHash : [], for: session ?? "", milliseconds: Tickets.life,
      limit: Tickets.limit
    ) { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(false): call.reject(self.tooManyTickets(call))
      case .success(true): call.answer(status: 201, headers: [:], result: "ticket", TicketBody(text, expiresAt: end))
      }
    }
  }

  private func tooManyTickets(_ call: Call) -> Rejection {
    access.refused(RateLimiter.Refusal(limit: .tickets, wait: UInt64(Tickets.life) * 1_000_000), call)
  }
}
