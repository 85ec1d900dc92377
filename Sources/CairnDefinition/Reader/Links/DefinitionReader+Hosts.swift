import CairnCore

// The hosts that loads may call, and the headers that loads send.
extension DefinitionReader {
  /// Reads `hosts`. A host includes its port, unless that is the default port of the scheme.
  func loadHosts(_ element: Element?) -> [WrittenHost] {
    var hosts: [WrittenHost] = []
    for element in oneOrMore(element) {
      guard let text = text(element, "allowHosts") else { continue }
      do {
        hosts.append(try WrittenHost(text))
      } catch {
        switch error {
        case .pattern: report("\(text) is not a host; list each host separately", at: element.position)
        case .international(let ascii): report("\(text) must be written in its ASCII form, \(ascii)", at: element.position)
        case .name, .port:
          report("\(text) is not a host; write it without scheme and path, like api.example or 127.0.0.1:9000", at: element.position)
        }
      }
    }
    return hosts
  }

  /// Reports a load's URL that does not begin with one of `hosts`.
  func checkHost(of text: String, _ what: String, isWhole: Bool, at position: Position) {
    guard let scheme = ["https", "http"].first(where: { text.lowercased().hasPrefix("\($0)://") }) else {
      report("\(what) must begin with https:// and a host that allowHosts lists, or with a fact that has env", at: position)
      return
    }
    let authority = text.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
    guard isWhole || authority.endIndex != text.endIndex, !authority.contains("@"), !authority.isEmpty else {
      report("the host of \(what) must be literal text, without references", at: position)
      return
    }
    guard let host = try? WrittenHost(authority) else {
      report("\(authority) is not a host with a port, like api.example or 127.0.0.1:9000", at: position)
      return
    }
    guard !names.hosts.contains(where: { $0.takes(host, scheme: scheme) }) else { return }
    if names.hosts.contains(where: { $0.host == host.host }) {
      let port = host.port.map { "the port \($0) of \(host.host)" } ?? "\(host.host) with the port of \(scheme)"
      reportUnlessStored("\(port) is not in allowHosts; add \(host.text) to it", at: position)
    } else {
      let meant = NearestName.of(host.text, among: names.hosts.map(\.text)).map { "; did you mean \($0)?" } ?? "; add it to allowHosts"
      report("the host \(host.text) is not in allowHosts\(meant)", at: position)
    }
  }

  /// Reads headers: by name, a value or `{ env: NAME }`.
  func headers(_ element: Element?, hasBearer: Bool, in scope: Surroundings) -> LoadHeaders {
    var headers = LoadHeaders()
    guard let element, !element.isNull else { return headers }
    guard let members = element.members else {
      report("headers must be a map, like { Accept-Language: de }, not \(article(element.kindName))", at: element.position)
      return headers
    }
    var seen: Set<String> = []
    for member in members {
      let name = member.name.lowercased()
      guard isHeader(member, hasBearer: hasBearer) else { continue }
      if !seen.insert(name).inserted { report("the header \(member.name) is set twice", at: member.position) }
      if member.element.members != nil {
        guard let fields = fields(of: member.element, "a header", .header), let variable = fields["env"] else { continue }
        headers.variables[member.name] = environmentName(variable)
      } else if member.element.list != nil || member.element.isNull {
        report("a header must be a value or { env: NAME }, not \(article(member.element.kindName))", at: member.element.position)
      } else if let value = expression(member.element, in: scope) {
        if name == "authorization" {
          report("a definition must not contain a secret; use Authorization: { env: NAME } or bearer: accessToken", at: member.position)
        } else if case .literal(.string(let text)) = value, !HeaderText.isValue(text) {
          report("the header \(member.name) contains characters that are not allowed in a header", at: member.element.position)
        }
        headers.values[member.name] = value
      }
    }
    return headers
  }

  private func isHeader(_ member: Element.Member, hasBearer: Bool) -> Bool {
    let name = member.name.lowercased()
    if !HeaderText.isName(member.name) {
      report("\(member.name) is not a valid header name", at: member.position)
    } else if HeaderText.reserved.contains(name) {
      report("the header \(member.name) cannot be set, because the service sets it itself or never sends it", at: member.position)
    } else if hasBearer && name == "authorization" {
      report("bearer and Authorization set the same header; remove one", at: member.position)
    } else {
      return true
    }
    return false
  }
}
