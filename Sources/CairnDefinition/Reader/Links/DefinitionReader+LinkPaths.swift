import CairnCore

// The URLs that a link accepts: hosts, schemes and paths.
extension DefinitionReader {
  /// Reads the hosts of a link and converts them to lower case. A port is kept.
  func linkHosts(_ element: Element?) -> [String] {
    var hosts: [String] = []
    for element in oneOrMore(element) {
      guard let text = text(element, "a host") else { continue }
      do {
        let host = try WrittenHost(text)
        if let port = host.port, port == 443 || port == 80 {
          report("\(port) is the scheme's default port; remove it", at: element.position)
        }
        hosts.append(host.text)
      } catch {
        switch error {
        case .port(let port):
          report("a port must be a number from 1 to 65535, not \(port.isEmpty ? "empty" : port)", at: element.position)
        case .pattern: report("\(text) is not a host; list each host separately, like www.\(text.withoutPattern)", at: element.position)
        case .international(let ascii): report("\(text) must be written in its ASCII form, \(ascii)", at: element.position)
        case .name: report("\(text) is not a host; write it without scheme, port and path, like shop.example", at: element.position)
        }
      }
    }
    return hosts
  }

  /// Reads the app's own schemes. `http` and `https` are allowed only if the link has hosts.
  func schemes(_ element: Element?, hasHosts: Bool) -> [String] {
    var schemes: [String] = []
    for element in oneOrMore(element) {
      guard let scheme = text(element, "a scheme")?.lowercased() else { continue }
      let isScheme = scheme.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 || "+.-".unicodeScalars.contains($0) }
      if !isScheme || !(scheme.first?.isLetter ?? false) {
        report("\(scheme) is not a scheme; \(Self.schemeRemedy(scheme))", at: element.position)
      } else if (scheme == "http" || scheme == "https") && !hasHosts {
        report("\(scheme) is not a custom scheme; list the hosts of its links in host", at: element.position)
      } else {
        schemes.append(scheme)
      }
    }
    return schemes
  }

  /// The valid alternative to a text that is not a scheme (RFC 3986, 3.1).
  private static func schemeRemedy(_ text: String) -> String {
    let name = text.prefix { $0 != ":" && $0 != "/" }
    guard name.utf8.contains(UInt8(ascii: "_")) else { return "write it without ://, like shop" }
    return "a scheme has only letters, digits, +, - and ., like \(name.split(separator: "_").joined(separator: "-"))"
  }

  /// Reads the segments of a path. Returns `nil` if a segment is invalid.
  func path(_ element: Element) -> [LinkDefinition.Segment]? {
    guard let text = text(element, "path") else { return nil }
    guard text.hasPrefix("/") else {
      report("path must begin with /, like /items/{id}, not \(text)", at: element.position)
      return nil
    }
    if text == "/" { return [] }
    var segments: [LinkDefinition.Segment] = []
    defer { checkOrder(of: segments, at: element.position) }
    for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
      if let capture = Self.capture(part), let name = capture.name {
        if segments.contains(where: { $0.name == name }) { report("\(name) is captured twice", at: element.position) }
        segments.append(capture)
      } else if !context.isStored, part == "*" || part == "**" {
        report(
          "\(part) is not a pattern; {name} captures a segment, and {rest...} at the end captures all remaining segments",
          at: element.position)
        return nil
      } else if part.isEmpty || part.contains(where: { "{}?#".contains($0) }) {
        let remedy = if case .pattern(let capture) = ForeignSegment(part) { "; write \(capture)" } else { "" }
        report("a segment of path must be literal text or {name}, not \(part.isEmpty ? "empty" : part)\(remedy)", at: element.position)
        return nil
      } else {
        segments.append(.literal(part))
      }
    }
    return segments
  }

  /// Parses `{name}`, `{name?}` or `{name...}`; `nil` for any other text.
  private static func capture(_ part: String) -> LinkDefinition.Segment? {
    guard part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
    let text = String(part.dropFirst().dropLast())
    if text.hasSuffix("..."), NameKind.isIdentifier(String(text.dropLast(3))) { return .rest(String(text.dropLast(3))) }
    if text.hasSuffix("?"), NameKind.isIdentifier(String(text.dropLast())) { return .optional(String(text.dropLast())) }
    return NameKind.isIdentifier(text) ? .capture(text) : nil
  }

  /// Reports segments in the wrong order: a rest capture must be the last segment, and only optional segments may follow an optional one.
  private func checkOrder(of segments: [LinkDefinition.Segment], at position: Position) {
    for (segment, next) in zip(segments, segments.dropFirst()) {
      switch (segment, next) {
      case (.rest, _): report("\(segment.text) matches all remaining segments, so it must be the last one", at: position)
      case (.optional, .optional): break
      case (.optional, _): report("\(segment.text) is optional, so it must be the last segment", at: position)
      case (.literal, _), (.capture, _): break
      }
    }
  }
}

extension String {
  /// The host after `*.`, or an example.
  fileprivate var withoutPattern: String { hasPrefix("*.") ? String(dropFirst(2)) : "shop.example" }
}
