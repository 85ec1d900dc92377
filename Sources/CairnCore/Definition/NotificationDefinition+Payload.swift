extension NotificationDefinition {
  /// What a payload asks for, as the app finds it in its hands.
  public func action(for payload: Value, tap: Bool, appState: Action.AppState) -> Action {
    func first(_ pointers: [String]) -> String? {
      for pointer in pointers { if case .string(let text)? = payload.at(pointer: pointer) { return text } }
      return nil
    }
    return .notification(url: first(linkPointers), category: first(categoryPointers), tap: tap, appState: appState)
  }
}

extension Value {
  /// What a JSON Pointer (RFC 6901) points at; nil if there is nothing, or if it is no pointer.
  public func at(pointer: String) -> Value? {
    guard !pointer.isEmpty else { return self }
    guard pointer.first == "/" else { return nil }
    var value = self
    for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let name = token.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
        .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
      switch value {
      case .object(let members):
        guard let member = members[name] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index), String(index) == name else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }
}
