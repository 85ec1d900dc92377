package import CairnCore

/// The parameters of a new session.
package struct CreationRequest: Hashable, Sendable {
  package var app: String
  package var accessToken: String?
  package var arrival: Arrival?
  package var isManualClock = false
  package var label: String?
  /// Initial facts. Only an operator can set any; clients can set those that the definition allows.
  package var facts: [String: Value]?
  /// Whether the service leaves the session's requests unsent; only an operator can set it.
  package var isManualRequests = false
  /// Replaces the service's own variables; only an operator can set it.
  package var environment: [String: String]?

  /// The link or notification of a cold start.
  package enum Arrival: Hashable, Sendable {
    case open(url: String)
    /// The payload; which link is in it, the definition says.
    case notification(Value)
  }

  /// The sender of the session's requests: the service, or the caller with the action `answer`.
  enum RequestKind: String, CaseIterable { case sent, manual }

  /// Whose clock it goes by.
  enum ClockKind: String, CaseIterable { case system, manual }

  /// The longest label, in Unicode scalars, as JSON Schema counts.
  package static let labelLimit = 200

  /// Reads a body that is no text yet.
  package init(_ body: Value) throws(BodyFault) {
    self = try JSONBody.read(body) { element throws(BodyFault) in try CreationRequest(element) }
  }

  /// Reads a body.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else {
      throw .wrongShape("a session is started by an object such as {\"app\": …}, not \(body.value.kindName)")
    }
    var members = Members(body)
    app = members.read(CreationMembers.app) ?? ""
    accessToken = members.line(CreationMembers.accessToken)
    let url = members.read(CreationMembers.open)
    let payload = members.read(CreationMembers.notification)
    if url != nil, payload != nil { members.fault("has both open and notification; a cold start has one reason") }
    arrival = url.map(Arrival.open) ?? payload.map { .notification(.object($0)) }
    isManualRequests = members.read(CreationMembers.requests) == .manual
    environment = members.read(CreationMembers.environment).map { Self.texts($0, &members) }
    isManualClock = members.read(CreationMembers.clock) == .manual
    label = members.line(CreationMembers.label)
    if let label, label.unicodeScalars.count > Self.labelLimit { members.fault("label", "must have at most \(Self.labelLimit) characters") }
    facts = members.read(CreationMembers.facts)
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }

  private static func texts(_ values: [String: Value], _ members: inout Members) -> [String: String] {
    values.sorted { $0.key < $1.key }.reduce(into: [:]) { texts, member in
      if case .string(let text) = member.value {
        texts[member.key] = text
      } else {
        members.fault("environment", "\(member.key.prefix(64)) must be a string, not \(member.value.kindName)")
      }
    }
  }
}
