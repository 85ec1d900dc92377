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
    try sell(to: try requireOperator(call, ticket: nil, for: "listening to all sessions"), for: nil, call)
  }

  /// Authenticates an operator by the credentials or by a ticket. Throws if the caller is not an operator.
  func requireOperator(_ call: Call, ticket: String?, for what: String) throws(Rejection) -> Principal {
    if let ticket {
      guard let principal = tickets.use(ticket, for: nil, isLook: call.method == .head), settings.operators.holds(principal) else {
        throw noTicket(call)
      }
      call.isFrom(principal)
      return principal
    }
    try requireOperator(call, for: what)
    guard let principal = call.knownAsker else { throw Self.operatorOnly(what) }
    return principal
  }

  private func sell(to principal: Principal, for session: String?, _ call: Call) throws(Rejection) {
    do throws(Tickets.Refusal) {
      let (text, end) = try tickets.sell(to: principal, for: session)
      call.answer(status: 201, headers: [:], result: "ticket", TicketBody(text, expiresAt: end))
    } catch {
      switch error {
      case .tooMany: throw refused(RateLimiter.Refusal(limit: .tickets, wait: UInt64(Tickets.life) * 1_000_000), call)
      case .full: throw Rejection(StoreFault.queueFull)
      }
    }
  }
}
