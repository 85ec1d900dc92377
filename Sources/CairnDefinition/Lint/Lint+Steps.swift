import CairnCore

extension Lint {
  /// Steps that nobody sends, or that no flow handles.
  func idleSteps() -> [Finding] {
    let sent = Set(definition.templates.map(\.step))
    return definition.steps.sorted { $0.key < $1.key }.compactMap { name, step in
      let hearers = Set(definition.flows.filter { $0.value.handle[name] != nil || $0.value.adapt[name] != nil }.keys)
      let isSent = sent.contains(name) || (!step.isInternal && canBeEmitted(name, to: hearers))
      switch (isSent, hearers.isEmpty) {
      case (true, false): return nil
      case (true, true): return finding("no flow handles the step \(name)", name)
      case (false, true): return finding("the step \(name) is used nowhere", name)
      case (false, false):
        let screens = step.isInternal ? "it is internal, and" : "no screen emits it, and"
        return finding("nothing sends the step \(name): \(screens) no rule, link, start, timer, load or handler names it", name)
      }
    }
  }

  private func finding(_ message: String, _ step: String) -> Finding {
    Finding(position: places.name("steps", step), message: message)
  }

  /// Whether a contract names the step, or a screen that its hearers can hear has none.
  private func canBeEmitted(_ step: String, to hearers: Set<String>) -> Bool {
    if definition.screens.values.contains(where: { $0.emits?.contains(step) == true }) { return true }
    return emitters(to: hearers).contains { definition.screens[$0]?.emits == nil }
  }

  /// The screens whose steps can come to one of these flows: its own, and those of the flows below it.
  private func emitters(to hearers: Set<String>) -> Set<String> {
    if definition.primitives == .open { return hearers.isEmpty ? [] : Set(definition.screens.keys) }
    let speaking = makings.flows(from: hearers)
    return Set(makings.filter { $0.maker.map(speaking.contains) ?? false }.compactMap(\.contribution.screen))
  }
}
