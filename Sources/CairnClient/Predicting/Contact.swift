import CairnCore

/// Reports to the service that a client has sent everything that its user did. In an app that works offline (`offlineFor`), the service then keeps the
/// session. Actions of the office that remove something are held until each client has reported.
struct Contact: Sendable {
  /// The age of the newest numbered action after which the client reports again, in milliseconds.
  private static let halfDay = 43_200_000

  /// Whether the session may hold actions that this client has not heard of, because they were held before its stream began.
  var mayLackActions = false
  /// The time at which the service responded to a numbered action, or a report was posted, in milliseconds since 1970; `nil` before the first one.
  private var last: Int?
  /// The held actions for which the client has not reported.
  private var held: Set<HeldID> = []
  /// The held actions for which it has reported.
  private var reported: Set<HeldID> = []
  /// The held actions for which the report in progress was posted; `nil` if no report is in progress.
  private var posted: Set<HeldID>?

  /// Notes actions that the session holds.
  mutating func hold(_ actions: [HeldID]) { held.formUnion(Set(actions).subtracting(reported)) }

  /// Notes a response to a numbered action. The time is in milliseconds since 1970.
  mutating func noteAnswer(at now: Int) { last = now }

  /// Whether a report is due. `offlineFor` is that of the app's definition; `nil` if the app has none.
  func isDue(offlineFor: Int?, now: Int) -> Bool {
    let isLate = offlineFor != nil && last.map { now - $0 >= Self.halfDay } ?? true
    return posted == nil && (isLate || !held.isEmpty)
  }

  /// Notes that a report is posted.
  mutating func begin(at now: Int) { (posted, last) = (held, now) }

  /// Notes the end of the report in progress, and whether the service has received it.
  mutating func end(isReceived: Bool) {
    if isReceived, let posted {
      held.subtract(posted)
      reported.formUnion(posted)
    }
    posted = nil
  }

  /// Posts the action `contact` of a session if it is due, and nothing else waits to be sent.
  static func report(_ session: isolated PredictedSession) {
    guard let replica = session.replica, session.queue.isEmpty, !session.isOffline, !session.isOver, !session.isClosed,
      session.contact.isDue(offlineFor: replica.definition.offlineFor, now: session.now())
    else { return }
    session.contact.begin(at: session.now())
    session.begin(.contact, false) { result in Task { await end(session, result) } }
  }

  private static func end(_ session: isolated PredictedSession, _ result: Result<ActionAnswer, ClientError>) {
    // After a failure, the next event or response of the service causes another report.
    guard case .success = result else { return session.contact.end(isReceived: false) }
    session.contact.end(isReceived: true)
    report(session)
  }

  /// Reads which actions a session holds, if its stream does not report all of them.
  static func readHeld(_ session: isolated PredictedSession) async {
    guard session.contact.mayLackActions, let view = try? await session.session.session() else { return }
    session.contact.mayLackActions = false
    session.contact.hold(view.pending.compactMap(\.held))
  }
}
