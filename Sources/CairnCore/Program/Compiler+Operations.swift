// What each operation does when it runs: the names in it are looked up here, once.
extension Compiler {
  func instruction(_ operation: Operation) -> Instruction {
    switch operation {
    case .push(let contribution):
      let mold = mold(contribution)
      return { run, performance throws(Refusal) in try run.push(mold, in: performance) }
    case .replace(let contribution):
      let mold = mold(contribution)
      return { run, performance throws(Refusal) in try run.replaceTop(with: mold, in: performance) }
    case .set(let contributions, true):
      let molds = contributions.map(mold)
      return { run, performance throws(Refusal) in try run.set(molds, in: performance) }
    case .set(let contributions, false):
      let molds = contributions.map(mold)
      return { run, performance throws(Refusal) in
        let stack = try run.nearestStack(of: performance.flow)
        try run.fill(stack, with: molds, owner: performance.flow, scope: performance.scope)
      }
    case .pop(let count):
      return { run, performance throws(Refusal) in run.pop(count, on: try run.nearestStack(of: performance.flow)) }
    case .popTo(let screen):
      return { run, performance throws(Refusal) in try run.popTo(screen: screen, on: try run.nearestStack(of: performance.flow)) }
    case .popToRoot:
      return { run, performance throws(Refusal) in run.popToRoot(try run.nearestStack(of: performance.flow)) }
    case .remove(let screen):
      return { run, performance throws(Refusal) in try run.removeOne(screen: screen, on: try run.nearestStack(of: performance.flow)) }
    case .reveal(let target):
      return { run, _ throws(Refusal) in try run.reveal(target) }
    case .present(let contribution, let style, let anchor, let replace, let level):
      let mold = mold(contribution)
      return { run, performance throws(Refusal) in
        try run.present(mold, style: style, anchor: anchor, replace: replace, level: level, in: performance)
      }
    case .dismiss(let name?):
      return { run, performance throws(Refusal) in run.dismiss(name, in: performance.flow, emitter: performance.scope.emitter?.id) }
    case .dismiss(nil):
      return { run, performance throws(Refusal) in run.dismiss(in: performance.flow, emitter: performance.scope.emitter?.id) }
    case .tabs(let contributions):
      let molds = contributions.map(mold)
      return { run, performance throws(Refusal) in
        let tabs = try run.container(.tabs, of: performance.flow, else: .noTabs)
        try run.fill(tabs, with: molds, owner: performance.flow, scope: performance.scope)
      }
    case .split(let master, let detail):
      let (masters, detail) = (master.map(mold), mold(detail))
      return { run, performance throws(Refusal) in try run.fillSplit(master: masters, detail: detail, in: performance) }
    case .detail(let contribution):
      let mold = mold(contribution)
      return { run, performance throws(Refusal) in try run.showDetail(mold, in: performance) }
    case .select(.flow(let name)):
      return { run, performance throws(Refusal) in try run.select(.flow(name), around: performance.flow) }
    case .select(.index(let expression)):
      return { run, performance throws(Refusal) in
        guard case .integer(let index) = run.value(of: expression, in: performance.scope) else {
          throw Refusal(.valueMismatch, "the index of select must be an integer")
        }
        do throws(Refusal) {
          try run.select(.tab(Int(clamping: index)), around: performance.flow)
        } catch {
          // The number stands in the definition, or is a param's: there is no place in the body to point to.
          throw error.code == .invalid ? Refusal(.valueMismatch, "select: \(index): \(error.detail)") : error
        }
      }
    case .show(let child, let screen):
      let (flow, top) = (mold(Contribution(.flow(child))), screen.map(mold))
      return { run, performance throws(Refusal) in try run.show(child, as: flow, screen: top, in: performance) }
    case .end(let template):
      let step = mold(template)
      return { run, performance throws(Refusal) in try run.end(performance.flow, sending: step, scope: performance.scope) }
    case .give(let values):
      let recipe = Recipe(values)
      return { run, performance throws(Refusal) in try run.give(recipe, in: performance) }
    case .forward(let template):
      let step = mold(template)
      return { run, performance throws(Refusal) in try run.forward(step, in: performance) }
    case .write(let expressions):
      if let refusing = refusing(writesTo: expressions.keys) { return refusing }
      let sorted = expressions.sorted { $0.key < $1.key }
      return { run, performance throws(Refusal) in
        for (fact, expression) in sorted { try run.write(run.value(of: expression, in: performance.scope), to: fact) }
      }
    case .clear(let facts):
      if let refusing = refusing(writesTo: facts) { return refusing }
      return { run, _ throws(Refusal) in
        for fact in facts { try run.write(nil, to: fact) }
      }
    case .content(let edits, let screen):
      return { run, performance throws(Refusal) in try run.edit(edits, of: screen, scope: performance.scope) }
    case .load(let load, let anchor, let screen):
      return { run, performance throws(Refusal) in
        guard let owner = try run.owner(anchor, nearest: screen, in: performance) else { return run.reason = "dismissed" }
        try run.startLoad(load, of: owner, scope: performance.scope)
      }
    case .after(let timer, let anchor):
      let mold = mold(timer)
      return { run, performance throws(Refusal) in
        guard let owner = run.anchored(anchor, in: performance) else { return run.reason = "dismissed" }
        try run.startTimer(mold, of: owner, scope: performance.scope)
      }
    case .cancel(let name):
      return { run, performance throws(Refusal) in
        run.cancelEffects(named: name, below: performance.scope.emitter?.id ?? performance.flow, of: performance.flow)
      }
    case .logout: return { run, _ throws(Refusal) in run.logout() }
    case .cancelLinks: return { run, _ throws(Refusal) in run.dropPendingLinks("cancelled") }
    case .none:
      return { _, _ throws(Refusal) in }
    }
  }

  /// What comes from the environment may be where a load goes to: a handler that writes it, as definitions of before can have, is refused.
  private func refusing(writesTo facts: some Sequence<String>) -> Instruction? {
    guard let fact = facts.filter({ definition.facts[$0]?.environment != nil }).min() else { return nil }
    return { _, _ throws(Refusal) in
      throw Refusal(.valueMismatch, "the fact \(fact) comes from the environment, and no step writes it")
    }
  }
}
