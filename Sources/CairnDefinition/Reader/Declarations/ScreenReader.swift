import CairnCore

/// Reads screens, and the steps that clients may send from screens and flows.
struct ScreenReader: PartReader {
  let context: ReaderContext

  /// Reads the screens with the steps that they emit. The params have been read with the declarations.
  func screens(_ element: Element?) -> [String: ScreenDefinition] {
    var screens: [String: ScreenDefinition] = [:]
    for member in element?.members ?? [] {
      guard let fields = fields(of: member.element, "the screen `\(member.name)`", .screen) else { continue }
      var screen = ScreenDefinition(params: names.params(ofScreen: member.name) ?? [:], meta: fields["meta"]?.value)
      var scope = Surroundings("the screen itself sends the step")
      scope.hasContent = true
      screen.steps = steps.steps(of: fields, in: scope)
      screen.emits = fields["emits"].map { contract($0) } ?? (context.compat.emitsAny ? nil : [])
      screens[member.name] = screen
    }
    return screens
  }

  /// Reads `emits`: the steps that clients may send. The steps have already been declared.
  func contract(_ element: Element) -> Set<String> {
    if element.isNull { return [] }
    guard let elements = element.list ?? element.members?.map({ Element(content: .scalar(.string($0.name)), position: $0.position) }) else {
      report("`emits` must be a list of steps, or a map of steps with their params, not \(article(element.kindName))", at: element.position)
      return []
    }
    var steps: Set<String> = []
    for element in elements {
      guard let step = name(element, of: .step) else { continue }
      if names.step(step)?.isOperators == true {
        report("`\(step)` is `by: operator`, so no screen can emit it", at: element.position)
      } else if !steps.insert(step).inserted {
        report("`emits` lists `\(step)` twice", at: element.position)
      }
    }
    return steps
  }
}
