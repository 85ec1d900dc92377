package import CairnCore

/// The body of a request that begins a rollout.
package struct RolloutRequest: Hashable, Sendable {
  /// The hash of the new definition.
  package var to: String
  /// The share of sessions that the rollout moves, in hundredths of a percent.
  package var share: Int
  /// The condition under which existing sessions move; `nil` if existing sessions keep their definition.
  package var moment: Moment?
  /// Maximum number of sessions moved per second.
  package var rate: Int
  package var isDryRun: Bool

  /// The condition under which an existing session moves. Durations are in milliseconds.
  package enum Moment: Hashable, Sendable {
    case now, foreground
    case idle(Int)
    case visible(String)
  }

  private static let to = Member<String>(
    "to", "a definition's hash, 64 lowercase hexadecimal digits", .definitionHash, "The hash of the new definition.", isRequired: true
  ) { element in element.string.flatMap { $0.isDefinitionHash ? $0 : nil } }
  private static let share = Member<Int>(
    "share", "a percentage from 0% to 100%, such as \"5%\"", .text(like: #"^0*(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)%$"#),
    "The share of sessions that the rollout moves; default 100%. Whether a session is in the share depends on its label or, without a label, on its id."
  ) { element in element.string.flatMap { RolloutRequest.share($0) } }
  private static let moment = Member<Moment>(
    "when", "\"now\", \"foreground\", {\"idle\": DURATION} or {\"visible\": SCREEN}",
    .one(of: [
      .words(["now", "foreground"]), .closed([Property("idle", .shared(.duration))]), .closed([Property("visible", .text)]),
    ]),
    "The condition under which a running session moves. `now`: at once; `idle`: no client has acted for this long; `visible`: this screen of the "
      + "old definition is visible; `foreground`: the fact `appState` is `foreground`. Without `when`, no running session moves."
  ) { RolloutRequest.moment($0) }
  private static let rate = Member<Int>.integer("rate", atLeast: 1, "Maximum number of sessions moved per second; default 100.")
  private static let dryRun = Member<Bool>.flag(
    "dryRun", "`true`: moves no session, and reports what the rollout would do; default `false`.")
  package static let schema = Schema.closed([to.property, share.property, moment.property, rate.property, dryRun.property])

  /// Reads a body. Throws unless it is an object with valid members.
  package init(_ body: JSONElement) throws(BodyFault) {
    guard body.isObject else {
      throw .wrongShape("a rollout must be an object such as {\"to\": …, \"when\": \"now\"}, not \(body.value.kindName)")
    }
    var members = Members(body)
    to = members.read(Self.to) ?? ""
    share = members.read(Self.share) ?? 10_000
    moment = members.read(Self.moment)
    rate = members.read(Self.rate) ?? 100
    isDryRun = members.read(Self.dryRun) ?? false
    members.rejectOthers()
    guard members.faults.isEmpty else { throw .invalid(members.faults) }
  }

  /// Parses a percentage with at most two decimals, and returns hundredths of a percent; `nil` for any other text.
  private static func share(_ text: String) -> Int? {
    guard text.hasSuffix("%") else { return nil }
    let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, !first.isEmpty, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let whole = Int(first),
      whole <= 100
    else { return nil }
    guard parts.count == 2 else { return whole * 100 }
    guard (1...2).contains(parts[1].count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let rest = Int(parts[1]) else {
      return nil
    }
    let share = whole * 100 + (parts[1].count == 1 ? rest * 10 : rest)
    return share <= 10_000 ? share : nil
  }

  private static func moment(_ element: JSONElement) -> Moment? {
    switch element.string {
    case "now": return .now
    case "foreground": return .foreground
    default: break
    }
    guard element.isObject, element.count == 1 else { return nil }
    if let idle = element["idle"]?.string.flatMap(DurationText.milliseconds) { return .idle(idle) }
    if let screen = element["visible"]?.string { return .visible(screen) }
    return nil
  }
}
