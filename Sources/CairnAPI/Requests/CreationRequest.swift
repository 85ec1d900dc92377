package import CairnCore

/// What starts a session.
package struct CreationRequest: Hashable, Sendable {
  package var app: String
  package var accessToken: String?
  package var arrival: Arrival?
  package var isManualClock = false
  package var label: String?
  /// The operator's alone, but for those that clients may set.
  package var facts: [String: Value]?
  /// Nobody sends its requests; the operator's alone.
  package var isManualRequests = false
  /// In the place of the service's own variables; the operator's alone.
  package var environment: [String: String]?

  /// The link or notification of a cold start.
  package enum Arrival: Hashable, Sendable {
    case open(url: String)
    /// The payload; which link is in it, the definition says.
    case notification(Value)
  }

  private enum RequestKind: String, CaseIterable { case sent, manual }

  private enum ClockKind: String, CaseIterable { case system, manual }

  /// The longest label, in characters.
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
    app = members.string("app", isRequired: true) ?? ""
    accessToken = members.line("accessToken")
    let url = members.string("open")
    let payload = members.object("notification")
    if url != nil, payload != nil { members.fault("has both open and notification; a cold start has one reason") }
    arrival = url.map(Arrival.open) ?? payload.map { .notification(.object($0)) }
    isManualRequests = members.choice("requests", RequestKind.self) == .manual
    environment = members.object("environment").map { Self.texts($0, &members) }
    isManualClock = members.choice("clock", ClockKind.self) == .manual
    label = members.line("label")
    if let label, label.count > Self.labelLimit { members.fault("label", "must have at most \(Self.labelLimit) characters") }
    facts = members.object("facts")
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
