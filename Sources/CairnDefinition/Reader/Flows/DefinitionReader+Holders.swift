import CairnCore

extension DefinitionReader {
  /// Reads the name of the screen or flow whose content is used. If a screen and a flow have the same name, the screen is used. Reports an
  /// unknown name and returns `nil`.
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
