// Computes the JSON Pointer of an element when it is requested.
extension JSONElement {
  /// The JSON Pointer from the document's root (RFC 6901).
  package var pointer: String {
    var pointer = ""
    var here = at(0)
    while here.index < index {
      guard let (token, inner) = here.step(to: index) else { break }
      pointer += "/\(token)"
      here = inner
    }
    return pointer
  }

  /// Finds the member or element that contains the token with the index `target`, and its reference token in a JSON Pointer. Returns `nil`
  /// if the target is not inside this element.
  private func step(to target: Int) -> (token: String, inner: JSONElement)? {
    for (name, value) in members where target < Int(value.token.next) { return (name.decoded.pointerEscaped, value) }
    for (place, element) in elements.enumerated() where target < Int(element.token.next) { return (String(place), element) }
    return nil
  }

  /// Whether two members of an object have the same name.
  var repeatsName: Bool {
    guard count > 8 else {
      var names = members
      while let (name, _) = names.next() { if names.contains(where: { $0.name.isSameString(as: name) }) { return true } }
      return false
    }
    var names: Set<String> = []
    return !members.allSatisfy { names.insert($0.name.decoded).inserted }
  }

  /// Members whose name occurred earlier in their object. Only the first `Refusal.faultLimit` pointers are stored, because computing a
  /// pointer takes time.
  struct Repeats {
    var pointers: [String] = []
    var count = 0
  }

  /// Collects the members whose name occurred earlier in their object. Members of inner objects come first.
  func note(_ repeats: inout Repeats) {
    var names: Set<String> = []
    for (name, value) in members {
      value.note(&repeats)
      guard !names.insert(name.decoded).inserted else { continue }
      if repeats.count < Refusal.faultLimit { repeats.pointers.append(value.pointer) }
      repeats.count += 1
    }
    for element in elements { element.note(&repeats) }
  }

  /// Whether two strings are equal by Unicode canonical equivalence, by which a dictionary compares its keys.
  private func isSameString(as other: JSONElement) -> Bool {
    guard token.isPlain, other.token.isPlain else { return decoded == other.decoded }
    return bytes.elementsEqual(other.bytes)
  }
}

extension String {
  /// The text as a reference token of a JSON Pointer (RFC 6901, 3).
  package var pointerEscaped: String {
    split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0").split(separator: "/", omittingEmptySubsequences: false)
      .joined(separator: "~1")
  }
}
