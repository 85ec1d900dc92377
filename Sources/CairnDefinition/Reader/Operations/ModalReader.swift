import CairnCore

/// Reads the operations `present` and `overlay`.
struct ModalReader: PartReader {
  let context: ReaderContext

  /// Reads `present: NODE` with the members for its style, anchor and level. Returns `nil` after reporting an error.
  func present(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Operation? {
    let style: PresentationStyle = word(fields["style"], "`style`") ?? .sheet
    let anchor = operations.anchor(fields, .flow)
    let replace = flag(fields["replace"], "`replace`")
    let level = level(fields)
    guard var contribution = nodes.contribution(value, "`present`", in: scope, beside: fields) else { return nil }
    contribution.isSealed = flag(fields["sealed"], "`sealed`")
    if style == .alert, case .flow(let flow) = contribution.target {
      report("an alert must be a screen, but `\(flow)` is a flow", at: fields.position(of: "style"))
    }
    return .present(contribution, style: style, on: anchor, replace: replace, level: level)
  }

  /// Reads `overlay: SCREEN` with its slot. Returns `nil` after reporting an error.
  func overlay(_ value: Element, _ fields: Fields, in scope: Surroundings) -> Operation? {
    let (queue, replace) = (flag(fields["queue"], "`queue`"), flag(fields["replace"], "`replace`"))
    if queue, replace { report("`queue` and `replace` exclude each other; remove one", at: fields.position(of: "replace")) }
    let time = fields["for"].flatMap { duration($0, "`for`", atLeast: 1) }
    guard let contribution = nodes.contribution(value, "`overlay`", in: scope, beside: fields) else { return nil }
    if let flow = contribution.flow { report("an overlay must be a screen, but `\(flow)` is a flow", at: value.position) }
    if contribution.leave != nil || contribution.listen != Listen() {
      report(
        "an overlay has no `guard` and no `listen`: it covers nothing, and only gestures on the overlay itself remove it",
        at: value.position)
    }
    guard let slot = fields["slot"]?.text else {
      if let element = fields["slot"] { report("`slot` must be a name, such as `top`, not \(described(element))", at: element.position) }
      return nil
    }
    return .overlay(contribution, .init(slot: slot, queue: queue, replace: replace, time: time))
  }

  /// Reads the members `level` and `queue` of `present`. Returns `nil` if the modal is presented on a node, or after reporting an invalid
  /// level.
  private func level(_ fields: Fields) -> Operation.Level? {
    let queue = flag(fields["queue"], "`queue`")
    guard let element = fields["level"] else {
      if queue { report("`queue` is allowed only with `level`", at: fields.position(of: "queue")) }
      return nil
    }
    guard case .scalar(.integer(let number)) = element.content, (1...255).contains(number) else {
      report("`level` must be a whole number from 1 to 255, not \(described(element))", at: element.position)
      return nil
    }
    if fields["of"] != nil { report("a modal on a level is always presented on the root; remove `of`", at: fields.position(of: "of")) }
    if queue, flag(fields["replace"], "`replace`") {
      report("`queue` and `replace` exclude each other; remove one", at: fields.position(of: "replace"))
    }
    return Operation.Level(number, queue: queue)
  }
}
