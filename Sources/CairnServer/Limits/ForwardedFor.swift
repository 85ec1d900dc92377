/// What proxies write of the nodes that a request came through, first the client's. A node that cannot be read is nil; `unknown` and
/// names that hide an address (RFC 7239, 6.2 and 6.3) are read as they stand, and are no addresses.
enum ForwardedFor {
  /// `Forwarded: for=192.0.2.1, for="[2001:db8::1]:4711";proto=https` (RFC 7239, 4).
  static func nodes(forwarded fields: [String]) -> [String?] {
    fields.flatMap { split($0, at: ",") }.map { element in
      let values = split(element, at: ";").compactMap { pair -> String? in
        guard let sign = pair.firstIndex(of: "="), pair[..<sign].lowercased() == "for" else { return nil }
        return unquoted(String(pair[pair.index(after: sign)...]))
      }
      return values.count == 1 ? address(values[0]) : nil
    }
  }

  /// `X-Forwarded-For: 192.0.2.1, 2001:db8::1`, as most proxies write it.
  static func nodes(list fields: [String]) -> [String?] { fields.flatMap { split($0, at: ",") }.map(address) }

  /// Without brackets and port.
  private static func address(_ node: String) -> String? {
    if node.hasPrefix("[") {
      guard let end = node.firstIndex(of: "]") else { return nil }
      let rest = node[node.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
      return String(node[node.index(after: node.startIndex)..<end])
    }
    // One colon parts a port from an IPv4 address; an IPv6 address has more of them.
    let parts = node.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : node.isEmpty ? nil : node
  }

  /// Parts between separators that stand in no quotes, without the blanks around them.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var parts = [""]
    var (isQuoted, isEscaped) = (false, false)
    for character in text {
      if character == separator, !isQuoted {
        parts.append("")
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && character == "\\" && !isEscaped
      parts[parts.count - 1].append(character)
    }
    return parts.map { String($0.drop(while: isBlank).reversed().drop(while: isBlank).reversed()) }
  }

  /// nil: the quotes do not close.
  private static func unquoted(_ text: String) -> String? {
    guard text.hasPrefix("\"") else { return text }
    guard text.count >= 2, text.hasSuffix("\"") else { return nil }
    return String(text.dropFirst().dropLast()).replacing("\\", with: "")
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
