/// Parses the addresses in the headers of proxies, beginning with the client's address. An unreadable address is `nil`. `unknown` and
/// obfuscated identifiers (RFC 7239, 6.2 and 6.3) are returned as text, although they are not addresses.
package enum ForwardedFor {
  /// Parses `Forwarded: for=192.0.2.1, for="[2001:db8::1]:4711";proto=https` (RFC 7239, 4).
  package static func nodes(forwarded fields: [String]) -> [String?] {
    fields.flatMap { split($0, at: UInt8(ascii: ",")) }.map { element in
      guard let element else { return nil }
      let values = split(element, at: UInt8(ascii: ";")).compactMap { pair -> String? in
        guard let pair, let sign = pair.firstIndex(of: "="), pair[..<sign].lowercased() == "for" else { return nil }
        return unquoted(String(pair[pair.index(after: sign)...]))
      }
      return values.count == 1 ? address(values[0]) : nil
    }
  }

  /// Parses `X-Forwarded-For: 192.0.2.1, 2001:db8::1`. Most proxies append to the existing value. The syntax has no quotes.
  package static func nodes(list fields: [String]) -> [String?] {
    fields.flatMap { split($0, at: UInt8(ascii: ","), quotes: false) }.map { $0.flatMap(address) }
  }

  /// Removes the brackets and the port; `nil` if the node is empty or its brackets are malformed.
  private static func address(_ node: String) -> String? {
    if node.hasPrefix("[") {
      guard let end = node.firstIndex(of: "]") else { return nil }
      let rest = node[node.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
      return String(node[node.index(after: node.startIndex)..<end])
    }
    // A single colon separates an IPv4 address from a port. An IPv6 address contains more than one colon.
    let parts = node.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : node.isEmpty ? nil : node
  }

  /// Splits the text at separators outside of quotes and removes blanks around each part. Compares bytes, because a client could end its
  /// text with a character that merges with the comma of a proxy. The last part is `nil` if its quotes are not closed, because a proxy's
  /// addition would be inside the quotes.
  private static func split(_ text: String, at separator: UInt8, quotes: Bool = true) -> [String?] {
    var parts: [[UInt8]] = [[]]
    var (isQuoted, isEscaped) = (false, false)
    for byte in text.utf8 {
      if byte == separator, !isQuoted {
        parts.append([])
        continue
      }
      if quotes, byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
      parts[parts.count - 1].append(byte)
    }
    let texts = parts.map { String(decoding: $0.drop(while: isBlank).reversed().drop(while: isBlank).reversed(), as: UTF8.self) }
    return isQuoted ? texts.dropLast() + [nil] : texts
  }

  /// Removes quotes and backslashes; `nil` if the quotes are not closed.
  private static func unquoted(_ text: String) -> String? {
    guard text.hasPrefix("\"") else { return text }
    guard text.count >= 2, text.hasSuffix("\"") else { return nil }
    return String(text.dropFirst().dropLast()).replacing("\\", with: "")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
