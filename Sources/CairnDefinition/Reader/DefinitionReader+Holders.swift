import CairnCore

extension DefinitionReader {
  /// Who holds content: a screen, or a flow that no screen has the name of.
  mutating func holder(_ element: Element) -> String? {
    if let name = element.text, names.isKnown(.flow, name) || names.unreadable.contains(.flow) { return name }
    return self.name(element, of: .screen)
  }
}
