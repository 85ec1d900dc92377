import CairnCore

/// Reads the loads of content.
struct LoadReader: PartReader {
  let context: ReaderContext

  /// Reads `{ value | get | post | put | delete, … }`. Returns `nil` after reporting an error.
  func load(_ element: Element, in scope: Surroundings) -> Load? {
    guard let fields = fields(of: element, "`load`", .load) else { return nil }
    let given = MemberTable.load.alternatives.filter { fields[$0] != nil }
    guard let first = given.first, let value = fields[first], given.count == 1 else {
      report("`load` needs \(given.isEmpty ? "" : "only ")one of \(english(MemberTable.load.alternatives, "and"))", at: element.position)
      for member in ["then", "else"] { _ = fields[member].flatMap { steps.step($0, in: scope.withResult.withError) } }
      return nil
    }
    let delay = duration(fields["delay"], "`delay`") ?? 0
    var received = scope.withResult
    received.secretResult = Set(fields["secret"].map(secretSources.members) ?? [])
    let then = fields["then"].flatMap { steps.step($0, in: received) }
    let otherwise = fields["else"].flatMap { steps.step($0, in: scope.withError) }
    let restart = flag(fields["restart"], "`restart`")
    let whileVisible = isWhileVisible(fields)
    let source: Load.Source?
    if let method = HTTPMethod(rawValue: first) {
      source = requests.request(method, value, fields, in: scope).map(Load.Source.request)
    } else {
      requests.checkValue(fields)
      source = expressions.expression(value, in: scope).map(Load.Source.value)
    }
    return source.map { Load($0, delay: delay, then: then, otherwise: otherwise, restart: restart, whileVisible: whileVisible) }
  }

  /// Whether a load or timer has the member `while`. Reports a value other than `visible`.
  func isWhileVisible(_ fields: Fields) -> Bool {
    guard let element = fields["while"] else { return false }
    if element.text != "visible" { report("`while` must be `visible`, not \(described(element))", at: element.position) }
    return true
  }

  /// Reads `load: {…}`. The member `of` in `fields` names the node that owns the load. Returns `nil` after reporting an error.
  func loadOperation(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Operation? {
    if let anchor = fields["of"]?.text.flatMap(Operation.Anchor.init(rawValue:)) {
      return load(value, in: scope).map { .load($0, on: anchor) }
    }
    let place = fields["of"].flatMap { places.place($0, "`of`", in: scope) }
    return load(value, in: scope).map { .load($0, on: .screen, of: place) }
  }
}
