import CairnCore

/// Reads the headers of loads.
struct HeaderReader: PartReader {
  let context: ReaderContext

  /// Reads a map of headers. The value of each header is an expression, or `{ env: NAME }`. Invalid headers are reported.
  func headers(_ element: Element?, hasBearer: Bool, in scope: Surroundings) -> LoadHeaders {
    var headers = LoadHeaders()
    guard let element, !element.isNull else { return headers }
    guard let members = element.members else {
      report("`headers` must be a map, like `{ Accept-Language: de }`, not \(article(element.kindName))", at: element.position)
      return headers
    }
    var seen: Set<String> = []
    for member in members {
      let name = member.name.lowercased()
      guard isHeader(member, hasBearer: hasBearer) else { continue }
      if !seen.insert(name).inserted { report("the header `\(member.name)` is set twice", at: member.position) }
      if member.element.members != nil {
        guard let fields = fields(of: member.element, "a header", .header), let variable = fields["env"] else { continue }
        headers.variables[member.name] = environmentName(variable)
      } else if member.element.list != nil || member.element.isNull {
        report("a header must be a value or `{ env: NAME }`, not \(article(member.element.kindName))", at: member.element.position)
      } else if let value = expressions.expression(member.element, in: scope) {
        if name == "authorization" {
          report("a definition must not contain a secret; use `Authorization: { env: NAME }` or `bearer: accessToken`", at: member.position)
        } else if case .literal(.string(let text)) = value, !HeaderText.isValue(text) {
          report("the header `\(member.name)` contains characters that are not allowed in a header", at: member.element.position)
        }
        headers.values[member.name] = value
      }
    }
    return headers
  }

  private func isHeader(_ member: Element.Member, hasBearer: Bool) -> Bool {
    let name = member.name.lowercased()
    if !HeaderText.isName(member.name) {
      report("`\(member.name)` is not a valid header name", at: member.position)
    } else if HeaderText.reserved.contains(name) {
      report("the header `\(member.name)` cannot be set, because the service sets it itself or never sends it", at: member.position)
    } else if hasBearer && name == "authorization" {
      report("`bearer` and `Authorization` set the same header; remove one", at: member.position)
    } else {
      return true
    }
    return false
  }
}
