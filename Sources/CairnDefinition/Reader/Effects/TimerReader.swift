import CairnCore

/// Reads timers, and the operation that cancels them.
struct TimerReader: PartReader {
  let context: ReaderContext

  /// Reads `{ after | every, send, with, name, while, covered, start }`. Returns `nil` after reporting an error.
  func timer(_ element: Element, in scope: Surroundings) -> Timer? {
    guard let fields = fields(of: element, "a timer", .timer) else { return nil }
    guard (fields["after"] == nil) != (fields["every"] == nil) else {
      report("a timer needs \(fields["after"] == nil ? "`after` or `every`" : "either `after` or `every`, not both")", at: element.position)
      _ = steps.step(from: fields, in: scope)
      return nil
    }
    let repeats = fields["every"] != nil
    let delay =
      repeats
      ? duration(fields["every"], "`every`", atLeast: max(1, context.limits.shortestTimer))
      : duration(fields["after"], "`after`", atLeast: context.limits.shortestTimer)
    let name = fields["name"].flatMap { text($0, "`name`") }
    if let name {
      context.timerNames.declare(name)
      if name == "all" {
        report("a timer cannot be named `all`, because `cancel: all` means all timers and loads", at: fields.position(of: "name"))
      }
      if name == "links" {
        reportUnlessStored("a timer cannot be named `links`, because `cancel: links` means the held links", at: fields.position(of: "name"))
      }
    }
    let whileVisible = loads.isWhileVisible(fields)
    for member in ["covered", "start"] where whileVisible && fields[member] != nil {
      report(
        "`\(member)` has no effect with `while: visible`, because such a timer runs only while its page is visible",
        at: fields.position(of: member)
      )
    }
    guard let step = steps.step(from: fields, in: scope), let delay else { return nil }
    return Timer(
      name: name, delay: delay, repeats: repeats, step: step, whileVisible: whileVisible,
      covered: fields["covered"].flatMap { word($0, "`covered`") }, startsSeen: fields["start"].map { isSeen($0) } ?? false)
  }

  private func isSeen(_ element: Element) -> Bool {
    if element.text == "seen" { return true }
    report("`start` of a timer must be `seen`, not \(described(element))", at: element.position)
    return false
  }

  /// Reports the names in `cancel` operations that no timer has.
  func checkCancelledTimers() {
    let timers = context.timerNames
    let known = KnownNames(timers.declared.union(["all"]))
    for element in timers.cancelled {
      guard let name = element.text, !timers.declared.contains(name) else { continue }
      reportUnknown(.timer, name, at: element.position) {
        let meant = known.nearest(to: name).map { "; did you mean `\($0)`?" }
        return "there is no timer named `\(name)`\(meant ?? "; use `all`, or give a timer this name")"
      }
    }
  }

  /// Reads `cancel: NAME | all | links`. Returns `nil` after reporting an error.
  func cancel(_ value: Element) -> Operation? {
    guard let name = text(value, "`cancel`") else { return nil }
    if name == "all" { return .cancel(name: nil) }
    if name == "links" { return .cancelLinks }
    context.timerNames.cancel(value)
    return .cancel(name: name)
  }
}
