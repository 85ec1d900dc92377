import CairnCore

extension DefinitionReader {
  /// Reads the name of a holder of content: a screen, or a flow. If both have the name, the screen is meant.
  mutating func holder(_ element: Element) -> String? {
    guard let name = element.text else { return self.name(element, of: .screen) }
    for kind in [NameKind.screen, .flow] where names.isKnown(kind, name) || names.unreadable.contains(kind) { return name }
    reportUnknown(.screen, name, at: element.position) { reader in
      let known = KnownNames(Array(reader.names.screens.keys) + Array(reader.names.flows.keys))
      return "there is no screen or flow \(name)\(known.nearest(to: name).map { "; did you mean \($0)?" } ?? "")"
    }
    return nil
  }
}
