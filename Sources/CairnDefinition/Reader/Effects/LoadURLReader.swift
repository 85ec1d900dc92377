import CairnCore

/// Reads the URLs of loads, and the hosts that loads may call.
struct LoadURLReader: PartReader {
  let context: ReaderContext

  /// Reads the URL of a load. Returns `nil` after reporting an invalid expression. A URL that does not begin with an allowed host, or with a fact that
  /// has `env`, is reported too.
  func url(_ element: Element, _ what: String, in scope: Surroundings, isSecret: Bool) -> Expression? {
    guard let text = text(element, what), let expression = expressions.expression(element, in: scope.withTemplates) else { return nil }
    if isSecret, !PlainHTTP.mayCarrySecrets(text) {
      reportUnlessStored("a secret must not be sent over plain HTTP; use `https`", at: element.position)
    }
    switch expression {
    case .literal(.string(let text)): checkHost(of: text, what, isWhole: true, at: element.position)
    case .template(let parts):
      switch parts.first {
      case .text(let text): checkHost(of: text, what, isWhole: parts.count == 1, at: element.position)
      case .reference(let reference):
        checkBase(reference, what, at: element.position)
        if parts.count > 1 { checkEnd(ofBaseBefore: parts[1], at: element.position) }
      case nil: break
      }
    case .reference(let reference): checkBase(reference, what, at: element.position)
    case .calculation:
      report("\(what) must begin with `https://` and a host that `allowHosts` lists, or with a fact that has `env`", at: element.position)
    case .literal, .array, .object: break
    }
    return expression
  }

  private func checkBase(_ reference: Reference, _ what: String, at position: Position) {
    if case .fact(let name) = reference {
      guard let fact = names.fact(name) else { return }
      if fact.environment != nil, fact.type.kind == .string { return }
      report("the fact `\(name)` can begin a URL only if it is a string from the environment (`env: NAME`)", at: position)
    } else {
      report("\(what) must begin with `https://` and a host that `allowHosts` lists, or with a fact that has `env`", at: position)
    }
  }

  /// Reports the text after a base URL unless it begins a path, query or fragment, because any other text would extend the host of the base URL.
  private func checkEnd(ofBaseBefore part: Expression.Part, at position: Position) {
    if case .text(let text) = part, let first = text.first, "/?#".contains(first) { return }
    reportUnlessStored("the fact at the start of a URL must be followed by a path that begins with `/`", at: position)
  }

  /// Reads `allowHosts`. A host includes its port, unless the port is the default of the scheme.
  func loadHosts(_ element: Element?) -> [WrittenHost] {
    var hosts: [WrittenHost] = []
    for element in oneOrMore(element) {
      guard let text = text(element, "`allowHosts`") else { continue }
      do {
        hosts.append(try WrittenHost(text))
      } catch {
        switch error {
        case .pattern: report("`\(text)` is not a host; list each host separately", at: element.position)
        case .international(let ascii): report("`\(text)` must be written in its ASCII form, `\(ascii)`", at: element.position)
        case .name, .port:
          report("`\(text)` is not a host; write it without scheme and path, like `api.example` or `127.0.0.1:9000`", at: element.position)
        }
      }
    }
    return hosts
  }

  /// Reports a load's URL that does not begin with a host of `allowHosts`.
  private func checkHost(of text: String, _ what: String, isWhole: Bool, at position: Position) {
    guard let scheme = ["https", "http"].first(where: { text.lowercased().hasPrefix("\($0)://") }) else {
      report("\(what) must begin with `https://` and a host that `allowHosts` lists, or with a fact that has `env`", at: position)
      return
    }
    let authority = text.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
    guard isWhole || authority.endIndex != text.endIndex, !authority.contains("@"), !authority.isEmpty else {
      report("the host of \(what) must be literal text, without references", at: position)
      return
    }
    guard let host = try? WrittenHost(authority) else {
      report("`\(authority)` is not a host with a port, like `api.example` or `127.0.0.1:9000`", at: position)
      return
    }
    guard !names.hosts.contains(where: { $0.takes(host, scheme: scheme) }) else { return }
    if names.hosts.contains(where: { $0.host == host.host }) {
      let port = host.port.map { "the port `\($0)` of `\(host.host)`" } ?? "`\(host.host)` with the port of `\(scheme)`"
      reportUnlessStored("\(port) is not in `allowHosts`; add `\(host.text)` to it", at: position)
    } else {
      let meant = NearestName.of(host.text, among: names.hosts.map(\.text)).map { "; did you mean `\($0)`?" } ?? "; add it to `allowHosts`"
      report("the host `\(host.text)` is not in `allowHosts`\(meant)", at: position)
    }
  }
}
