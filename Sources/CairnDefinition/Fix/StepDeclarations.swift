/// The places at which the steps of a file are declared after it has been rewritten from the former words. A step is declared in the
/// `emits` of the first screen or flow that names it. A step without params is declared by its handler. All other steps remain in `steps`.
struct StepDeclarations {
  /// The params of the steps that move to an `emits`, by the position at which the text of this `emits` begins.
  private(set) var moved: [Int: [String: SourceNode]] = [:]
  /// The steps that leave the section `steps`.
  private(set) var removed: Set<String> = []
  /// The steps that screens without `emits` could send; empty if `emitsAny` is true or every screen has `emits`.
  private(set) var listed: [String] = []
  /// Whether the rewritten `compat` must permit screens without `emits` to send any step.
  private(set) var emitsAny = false

  /// Creates declarations that move no step.
  init() {}

  init(_ root: SourceNode, _ scalars: [Unicode.Scalar]) {
    guard root.member("language") == nil else { return }
    let sections = Dictionary((root.members ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let steps = sections["steps"]?.members ?? []
    let screens = sections["screens"]?.members ?? []
    let owners = (screens + (sections["flows"]?.members ?? [])).map(\.value)
    let posted = steps.filter { $0.value.member("internal")?.value.text != "true" }.map(\.name)
    if screens.contains(where: { $0.value.member("emits") == nil }), !posted.isEmpty {
      emitsAny = posted.count == steps.count
      if !emitsAny { listed = posted }
    }
    guard !emitsAny else { return }
    // A declaration with a comment or several lines is not moved, so that no comment is lost.
    func isShort(_ range: Range<Int>) -> Bool { !scalars[range].contains { $0 == "#" || $0 == "\n" } }
    var first: [String: SourceNode] = [:]
    for emits in owners.compactMap({ $0.member("emits")?.value }) {
      for name in (emits.list ?? []).compactMap(\.text) where first[name] == nil { first[name] = emits }
    }
    let handled = Set(owners.compactMap { $0.member("handle") }.flatMap { $0.value.members ?? [] }.map(\.name))
    for step in steps {
      let hasParams = step.value.members?.contains { $0.name != "internal" } ?? false
      if hasParams {
        guard let emits = first[step.name], isShort(emits.range), isShort(step.range) else { continue }
        moved[emits.range.lowerBound, default: [:]][step.name] = step.value
        removed.insert(step.name)
      } else if first[step.name] != nil || handled.contains(step.name) || listed.contains(step.name) {
        removed.insert(step.name)
      }
    }
  }
}
