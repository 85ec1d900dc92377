import CairnCore

// Reads the parts of a definition that concern gestures.
extension DefinitionReader {
  /// Reads `leave: STEP | none`. Returns `nil` after reporting an error.
  mutating func leave(_ element: Element, in scope: Surroundings) -> Leave? {
    element.text == Leave.word ? .refuse : step(element, in: scope).map(Leave.ask)
  }

  /// Reads `reselect: popToRoot | none | STEP` and `back: none | first` of a flow with tabs.
  mutating func manner(_ fields: Fields) -> TabsManner {
    TabsManner(reselect: fields["reselect"].flatMap { reselect($0) } ?? .nothing, back: word(fields["back"], "back") ?? .nothing)
  }

  private mutating func reselect(_ element: Element) -> TabsManner.Reselect? {
    switch element.text {
    case "none": .nothing
    case "popToRoot": .popToRoot
    default: step(element, in: Surroundings("a reselect has no params")).map(TabsManner.Reselect.send)
    }
  }

  /// Reads `reveal: SCREEN` or `reveal: { flow: NAME }`. Returns `nil` after reporting an error.
  mutating func reveal(_ element: Element) -> Operation? {
    if element.text != nil { return name(element, of: .screen).map { .reveal(.screen($0)) } }
    guard let fields = fields(of: element, "reveal", .flowInFront) else { return nil }
    return fields["flow"].flatMap { name($0, of: .flow) }.map { .reveal(.flow($0)) }
  }
}
