import CairnCore

extension Scenario.Occurrence {
  /// The occurrence in one line, for people: `noteIsPicked(id: 7)`, `open notes://notes/3`, `advance 5s`.
  package var text: String {
    switch self {
    case .action(let action): Self.text(of: action)
    case .actions(let actions): "[\(actions.map { Self.text(of: $0) }.joined(separator: ", "))]"
    case .open(let url): "open \(url)"
    case .notification(_, let tap, let appState, let action, let reply):
      (["notification", tap ? nil : "not tapped", appState.rawValue] + [action, reply]).compactMap(\.self).joined(separator: ", ")
    case .advance(let milliseconds): "advance \(DurationText.written(milliseconds))"
    case .migrate: "migrate"
    case .undo(let revision): "undo \(revision)"
    case .answer(let answer): Self.text(of: answer.end)
    case .offline(let taps): "offline [\(taps.map { Self.text(of: $0) }.joined(separator: ", "))]"
    case .online: "online"
    case .response(let answer): "answer \(answer.status)" + (answer.after > 0 ? " after \(DurationText.written(answer.after))" : "")
    }
  }

  /// The text of an action: its step or type, followed by its params or other members in parentheses.
  private static func text(of action: Value) -> String {
    guard case .object(var members) = action else { return action.shortText }
    let name = members["step"] ?? members["type"] ?? .null
    if members["step"] != nil, case .object(let params)? = members["params"] {
      members["params"] = nil
      members.merge(params) { own, _ in own }
    }
    (members["step"], members["type"]) = (nil, nil)
    let values = members.sortedByKey.map { "\($0.key): \(text(ofMember: $0.value))" }
    return name.shortText + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
  }

  /// The text of a member's value; a map is written in braces.
  private static func text(ofMember value: Value) -> String {
    guard case .object(let members) = value else { return value.shortText }
    return "{ \(members.sortedByKey.map { "\($0.key): \($0.value.shortText)" }.joined(separator: ", ")) }"
  }

  private static func text(of end: RequestAnswer.End) -> String {
    switch end {
    case .loaded(let value): "loaded \(value.shortText)"
    case .failed(let reason): "failed \(reason)"
    case .exchanged: "exchanged"
    case .exchangeFailed(let reason): "exchangeFailed \(reason)"
    }
  }
}
