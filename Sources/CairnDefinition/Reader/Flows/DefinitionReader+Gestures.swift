import CairnCore

// Reads the parts of a definition that concern gestures.
extension DefinitionReader {
  /// Reads `guard: STEP | true`. Returns `nil` after reporting an error.
  func leave(_ element: Element, in scope: Surroundings) -> Leave? {
    if case .scalar(.bool(true)) = element.content { return .refuse }
    return step(element, in: scope).map(Leave.ask)
  }

  /// Reads `reselect: popToRoot | none | STEP` and `back: none | first` of a flow with tabs.
  func manner(_ fields: Fields) -> TabsManner {
    TabsManner(reselect: fields["reselect"].flatMap { reselect($0) } ?? .nothing, back: word(fields["back"], "back") ?? .nothing)
  }

  private func reselect(_ element: Element) -> TabsManner.Reselect? {
    switch element.text {
    case "none": .nothing
    case "popToRoot": .popToRoot
    default: step(element, in: Surroundings("a reselect has no params")).map(TabsManner.Reselect.send)
    }
  }
}
