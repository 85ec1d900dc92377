import CairnCore

/// Reports to the service that a client has sent all actions of its user. In an app with `offlineFor`, the client reports regularly, so that the service keeps
/// the session. An action with `deliver: settled` is held until each client has reported.
struct Contact: Sendable {
  /// The client reports again this many milliseconds after its last report, or after the last response to a numbered action.
  private static let halfDay = 43_200_000

  /// Whether the session may hold actions that this client does not know, because they were held before its stream began.
  var mayLackActions = false
  /// The time at which the service responded to a numbered action, or a report was posted, in milliseconds since 1970; `nil` before the first one.
  private var last: Int?
  /// The held actions for which a report is missing.
  private var held: Set<HeldID> = []
  /// The held actions for which the service has accepted a report of this client.
  private var reported: Set<HeldID> = []
  /// The held actions that the report in progress covers; `nil` if no report is in progress.
  private var posted: Set<HeldID>?

  /// Records the actions that the session holds, except those for which the client has reported.
  mutating func hold(_ actions: [HeldID]) { held.formUnion(Set(actions).subtracting(reported)) }

  /// Records a response to a numbered action. The time is in milliseconds since 1970.
  mutating func noteAnswer(at now: Int) { last = now }

  /// Whether a report is due. `offlineFor` is the member of the app's definition; `nil` if the definition does not have it.
  func isDue(offlineFor: Int?, now: Int) -> Bool {
    let isLate = offlineFor != nil && last.map { now - $0 >= Self.halfDay } ?? true
    return posted == nil && (isLate || !held.isEmpty)
  }

  /// Records that a report is posted.
  mutating func begin(at now: Int) { (posted, last) = (held, now) }

  /// Records the end of the report in progress. `isReceived` is whether the service has accepted the report.
  mutating func end(isReceived: Bool) {
    if isReceived, let posted {
      held.subtract(posted)
      reported.formUnion(posted)
    }
    posted = nil
  }

  /// Posts the action `contact` if a report is due and no other action waits to be sent.
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

  /// Reads the actions that a session holds, if its stream may not report all of them.
  static func readHeld(_ session: isolated PredictedSession) async {
    guard session.contact.mayLackActions, let view = try? await session.session.session() else { return }
    session.contact.mayLackActions = false
    session.contact.hold(view.pending.compactMap(\.held))
  }
}
