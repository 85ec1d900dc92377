extension NotificationDefinition {
  /// The action of a payload as the app receives it. `action` is the pressed button, and `reply` the text of the reply.
  public func action(
    for payload: Value, tap: Bool, appState: Action.AppState, action: String? = nil, reply: String? = nil, isMessage: Bool = false
  ) -> Action {
    func first(_ pointers: [String]) -> String? {
      for pointer in pointers { if case .string(let text)? = payload.at(pointer: pointer) { return text } }
      return nil
    }
    let isUsed = tap || action != nil || reply != nil
    var message = Action.Message(action: action, reply: reply, isSilent: !isUsed && payload.isSilent(asMessage: isMessage))
    for (name, reading) in values {
      let found = reading.pointers.lazy.compactMap { payload.at(pointer: $0) }.first { $0 != .null }
      message.values[name] = found.map(reading.type.reading)
    }
    return .notification(
      url: first(linkPointers), category: first(categoryPointers), tap: isUsed, appState: appState, message)
  }
}

extension Value {
  /// Whether the system shows nothing for a payload. This is true for Apple's `content-available` without alert, sound and badge, and for an FCM
  /// message that contains only data.
  fileprivate func isSilent(asMessage isMessage: Bool) -> Bool {
    let isShown = ["alert", "badge", "sound"].contains { self["aps"]?[$0] != nil } || self["notification"] != nil
    guard !isShown else { return false }
    return self["aps"]?["content-available"] == 1 || (isMessage && self["aps"] == nil)
  }

  /// The value at a JSON Pointer (RFC 6901); `nil` if there is no such value, or if the pointer is invalid.
  public func at(pointer: String) -> Value? {
    guard !pointer.isEmpty else { return self }
    guard pointer.first == "/" else { return nil }
    var value = self
    for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let name = String(pointerToken: token)
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

extension String {
  /// The name in a reference token of a JSON Pointer (RFC 6901, 4): `~1` stands for `/`, `~0` for `~`.
  fileprivate init(pointerToken: Substring) {
    self = ""
    var isEscape = false
    for character in pointerToken {
      switch character {
      case "1" where isEscape: append("/")
      case "0" where isEscape: append("~")
      case "~":
        if isEscape { append("~") }
        isEscape = true
        continue
      default:
        if isEscape { append("~") }
        append(character)
      }
      isEscape = false
    }
    if isEscape { append("~") }
  }
}
