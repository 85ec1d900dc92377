import CairnCore

/// Finds the values from outside that are secret wherever they are read: captures of a link and values of a notification that become secret params, and
/// secret members of loads.
struct SecretSources: PartReader {
  let context: ReaderContext

  /// The type of a secret source.
  static var type: ParameterDefinition {
    var type = ParameterDefinition(.string)
    type.isSecret = true
    return type
  }

  /// The sources that a step, or a list of steps, passes unchanged to secret params. `with` contains the arguments if `element` is only a
  /// step's name. A step without arguments gets each source that has the name of one of its params.
  func passed(to element: Element?, with: Element?, among sources: [String]) -> Set<String> {
    guard let element else { return [] }
    if let list = element.list { return list.reduce(into: []) { $0.formUnion(passed(to: $1, with: nil, among: sources)) } }
    if element.members != nil { return passed(to: element.member("step"), with: element.member("with"), among: sources) }
    guard let step = element.text, let params = names.step(step)?.params else { return [] }
    let arguments = with.map { ($0.members ?? []).map { ($0.name, $0.element.text ?? "") } } ?? sources.map { ($0, "$" + $0) }
    var found: Set<String> = []
    for (name, text) in arguments where params[name]?.isSecret == true && text.hasPrefix("$") { found.insert(String(text.dropFirst())) }
    return found.intersection(sources)
  }

  /// The values of a notification, including the reply, that the elements of `take` pass to secret params.
  func passed(toRules take: Element?, among values: [String]) -> Set<String> {
    let sources = values + [NotificationDefinition.reply]
    return (take.map(oneOrMore) ?? []).reduce(into: []) {
      $0.formUnion(passed(to: $1.member("send"), with: $1.member("with"), among: sources))
    }
  }

  /// The paths in `secret` of a load.
  func members(_ element: Element) -> [String] { oneOrMore(element).compactMap(\.text) }

  /// The secret members of all loads in a part of the definition.
  func membersOfLoads(in element: Element) -> Set<String> {
    var found: Set<String> = []
    if let secret = element.member("secret"), HTTPMethod.allCases.contains(where: { element.member($0.rawValue) != nil }) {
      found.formUnion(members(secret))
    }
    for inner in element.list ?? element.members?.map(\.element) ?? [] { found.formUnion(membersOfLoads(in: inner)) }
    return found
  }

  /// Reports a rest capture that is passed to a secret param, because only whole segments are sealed.
  func checkSegments(_ path: [LinkDefinition.Segment], _ secret: Set<String>, at position: Position) {
    for case .rest(let name) in path where secret.contains(name) {
      report("`{\(name)...}` is passed to a secret param, so it must capture one segment: write `{\(name)}`", at: position)
    }
  }

  /// Reports a value that is read from the same place as a secret, because it would not be sealed.
  func checkPointers(of values: [String: NotificationDefinition.Reading], _ secret: Set<String>, at position: Position) {
    for (name, reading) in values.sortedByKey where !secret.contains(name) {
      let other = values.sortedByKey.first { secret.contains($0.key) && !Set($0.value.pointers).isDisjoint(with: reading.pointers) }
      guard let other else { continue }
      report("`\(name)` reads the same place as `\(other.key)`, which is secret; remove `\(name)`", at: position)
    }
  }

  /// Reports a URL that an element of `take` composes, if a link captures a secret from it.
  func check(_ url: Expression, among links: [LinkDefinition], at position: Position) {
    guard case .template(let parts) = url else { return }
    let sample = parts.map { if case .text(let text) = $0 { text } else { "0" } }.joined()
    guard let (link, captured) = links.lazy.compactMap({ link in link.captureNames(of: sample).map { (link, $0) } }).first else { return }
    for template in link.steps {
      for (name, expression) in template.with.sortedByKey {
        guard case .reference(.param(let capture)) = expression, captured.contains(capture) else { continue }
        guard names.step(template.step)?.params[name]?.isSecret == true else { continue }
        return report(
          "this URL contains the secret `\(capture)`; send the step with `send: \(template.step)`, or take the whole URL from the payload",
          at: position)
      }
    }
  }
}

extension Element {
  /// The member of a map; `nil` if the element is not a map, or has no such member.
  fileprivate func member(_ name: String) -> Element? { members?.first { $0.name == name }?.element }
}
