package import CairnCore

/// The parameters of a new session.
package struct CreationRequest: Hashable, Sendable {
  package var app: String
  package var accessToken: String?
  package var arrival: Arrival?
  package var isManualClock = false
  /// The time at which a manual clock starts, in milliseconds since 1970; `nil` for the current time.
  package var clockStart: Int?
  /// The hash of the definition; `nil` for the current definition of new sessions.
  package var definition: String?
  package var label: String?
  /// The initial facts; `nil` if the request sets no facts. An operator may set every fact except `appState` and `away`; a client may set
  /// only facts that the definition allows.
  package var facts: [String: Value]?
  /// Whether the caller completes the session's requests with the action `answer`, instead of the service. Only an operator can set this
  /// member.
  package var isManualRequests = false
  /// The environment variables of the session, which replace those of the service; only an operator can set them.
  package var environment: [String: String]?
  /// The scenario whose final state is the first state of the session; only an operator can set it.
  package var scenario: Value?

  /// The link or notification of a cold start.
  package enum Arrival: Hashable, Sendable {
    case open(url: String)
    /// The payload. The definition names the member of the payload that contains the link.
    case notification(Value)
  }

  /// Whether the service sends the session's requests, or the caller completes them with the action `answer`.
  enum RequestKind: String, CaseIterable { case sent, manual }

  /// Whether the session uses the system's clock, or a clock that only the action `advance` moves.
  enum ClockKind: String, CaseIterable { case system, manual }

  /// The clock of a session, and the time at which a manual clock starts.
  struct Clock {
    let isManual: Bool
    let start: Int?

    /// Returns `nil` if the text is neither `system`, `manual`, nor a time from 1970 on.
    init?(_ text: String) {
      start = ISOTime.milliseconds(text)
      guard start ?? 0 >= 0, start != nil || ClockKind(rawValue: text) != nil else { return nil }
      isManual = text != ClockKind.system.rawValue
    }
  }

  /// The maximum length of a label in Unicode scalars, which is how JSON Schema counts characters.
  package static let labelLimit = 200

  /// Reads a body that is already a `Value`, with the same checks and errors as for a body in JSON.
  package init(_ body: Value) throws(BodyFault) {
    self = try JSONBody.read(body) { element throws(BodyFault) in try CreationRequest(element) }
  }

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else {
      throw .wrongShape("the body must be an object such as {\"app\": …}, not \(body.value.kindName)")
    }
    var members = Members(body)
    app = members.read(CreationMembers.app) ?? ""
    accessToken = members.token(CreationMembers.accessToken.name)
    let url = members.read(CreationMembers.open)
    let payload = members.read(CreationMembers.notification)
    if url != nil, payload != nil {
      members.fault("must not have both `open` and `notification`; remove one")
    }
    arrival = url.map(Arrival.open) ?? payload.map { .notification(.object($0)) }
    isManualRequests = members.read(CreationMembers.requests) == .manual
    environment = members.read(CreationMembers.environment).map { Self.texts($0, &members) }
    let clock = members.read(CreationMembers.clock)
    isManualClock = clock?.isManual ?? false
    clockStart = clock?.start
    definition = members.line(CreationMembers.definition)
    label = members.label()
    facts = members.read(CreationMembers.facts)
    if let scenario = members.read(CreationMembers.scenario) {
      self.scenario = .object(scenario)
      for name in ["accessToken", "definition", "open", "notification", "environment", "facts"] where body.dictionary?[name] != nil {
        members.fault(name, "cannot be combined with `scenario`, which sets it in `given`")
      }
    }
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }

  private static func texts(_ values: [String: Value], _ members: inout Members) -> [String: String] {
    values.sortedByKey.reduce(into: [:]) { texts, member in
      if case .string(let text) = member.value {
        texts[member.key] = text
      } else {
        members.fault("environment", "\(member.key.prefix(64)) must be a string, not \(member.value.kindName)")
      }
    }
  }
}
