extension NotificationDefinition {
  /// Converts a payload, as the app receives it, to an action. `action` is the pressed button, `reply` the text of the reply, and
  /// `isMessage` whether the payload is an FCM message.
  public func action(
    for payload: Value, tap: Bool, appState: Action.AppState, action: String? = nil, reply: String? = nil, isMessage: Bool = false
  ) -> Action {
    let isUsed = tap || action != nil || reply != nil
    var message = Action.Message(action: action, reply: reply, isSilent: !isUsed && payload.isSilent(asMessage: isMessage))
    for (name, reading) in values {
      let found = reading.pointers.lazy.compactMap { payload.at(pointer: $0) }.first { $0 != .null }
      message.values[name] = found.map(reading.type.reading)
    }
    return .notification(
      url: payload.text(at: linkPointers)?.text, category: payload.text(at: categoryPointers)?.text, tap: isUsed, appState: appState,
      message)
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

  /// The first text at one of these JSON Pointers, with its pointer; `nil` if there is none. A text that consists of spaces is ignored.
  package func text(at pointers: [String]) -> (pointer: String, text: String)? {
    for pointer in pointers {
      if case .string(let text)? = at(pointer: pointer), text.utf8.contains(where: { $0 > 0x20 }) { return (pointer, text) }
    }
    return nil
  }

  /// The value at a JSON Pointer (RFC 6901); `nil` if there is no such value, or if the pointer is invalid. The pointer continues inside a
  /// text that is a JSON object or array: the data of an Android message contains only texts, so senders write their objects as texts.
  public func at(pointer: String) -> Value? {
    guard !pointer.isEmpty else { return self }
    guard pointer.first == "/" else { return nil }
    var value = self
    for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let name = String(pointerToken: token)
      if let inner = value.embedded { value = inner }
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

  /// The bounds of a JSON text inside a payload: its bytes, its depth of nesting, and the number of its values and names. A message has about 4 KiB.
  package static let embeddedLimits = (bytes: 65_536, depth: 64, values: 4_096)

  /// The object or array that a text contains as JSON; `nil` for any other value.
  private var embedded: Value? {
    guard case .string(let text) = self, text.utf8.count <= Self.embeddedLimits.bytes,
      let first = text.utf8.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    let limits = Self.embeddedLimits
    return try? JSONDocument.read(Array(text.utf8), depthLimit: limits.depth, valueLimit: limits.values) { $0.value }
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
