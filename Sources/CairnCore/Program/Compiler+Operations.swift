// Compiles each operation to an instruction. Names are resolved here, once.
extension Compiler {
  func instruction(_ operation: Operation) -> Instruction {
    switch operation {
    case .push(let contribution):
      let template = compile(contribution)
      return { run, context throws(Refusal) in
        try StackOperations.push(&run, template, in: context)
        return nil
      }
    case .replace(let contribution):
      let template = compile(contribution)
      return { run, context throws(Refusal) in
        try StackOperations.replaceTop(&run, with: template, in: context)
        return nil
      }
    case .set(let contributions, true):
      let templates = contributions.map(compile)
      return { run, context throws(Refusal) in try StackOperations.set(&run, templates, in: context) }
    case .set(let contributions, false):
      let templates = contributions.map(compile)
      return { run, context throws(Refusal) in
        let stack = try StackOperations.nearestStack(run, of: context.flow)
        try Children.fill(&run, stack, with: templates, owner: context.flow, scope: context.scope)
        return nil
      }
    case .pop(let count):
      return { run, context throws(Refusal) in
        StackOperations.pop(&run, count, on: try StackOperations.nearestStack(run, of: context.flow))
      }
    case .popTo(let place): return { run, context throws(Refusal) in try StackOperations.popTo(&run, place, in: context) }
    case .popToRoot:
      return { run, context throws(Refusal) in
        StackOperations.popToRoot(&run, try StackOperations.nearestStack(run, of: context.flow))
      }
    case .bring(let place): return { run, context throws(Refusal) in try StackOperations.bring(&run, place, in: context) }
    case .remove(let place, false): return { run, context throws(Refusal) in try StackOperations.remove(&run, place, in: context) }
    case .remove(let place, true): return { run, context throws(Refusal) in StackOperations.removeAll(&run, place, scope: context.scope) }
    case .reveal(let place): return { run, context throws(Refusal) in try Modals.reveal(&run, place, in: context) }
    case .present(let contribution, let style, let anchor, let replace, let level):
      let template = compile(contribution)
      return { run, context throws(Refusal) in
        try Modals.present(&run, template, style: style, anchor: anchor, replace: replace, level: level, in: context)
        return nil
      }
    case .overlay(let contribution, let place):
      let template = compile(contribution)
      return { run, context throws(Refusal) in
        try Overlays.show(&run, template, place, in: context)
        return nil
      }
    case .dismiss(let place?):
      return { run, context throws(Refusal) in Modals.dismiss(&run, place, in: context.flow, scope: context.scope) }
    case .dismiss(nil):
      return { run, context throws(Refusal) in Modals.dismiss(&run, in: context.flow, emitter: context.scope.emitter?.id) }
    case .tabs(let contributions):
      let templates = contributions.map(compile)
      return { run, context throws(Refusal) in
        let tabs = try Children.container(run, .tabs, of: context.flow, else: .noTabs)
        try Children.fill(&run, tabs, with: templates, owner: context.flow, scope: context.scope)
        return nil
      }
    case .split(let master, let detail):
      let (masters, detail) = (master.map(compile), detail.map(compile))
      return { run, context throws(Refusal) in
        try SplitOperations.fill(&run, master: masters, detail: detail, in: context)
        return nil
      }
    case .detail(let contribution):
      let template = compile(contribution)
      return { run, context throws(Refusal) in
        try SplitOperations.showDetail(&run, template, in: context)
        return nil
      }
    case .select(.flow(let place)): return { run, context throws(Refusal) in try TabsOperations.select(&run, place, in: context) }
    case .select(.index(let expression)):
      return { run, context throws(Refusal) in
        guard case .integer(let index) = run.value(of: expression, in: context.scope) else {
          throw Refusal(.valueMismatch, "the index of select must be an integer")
        }
        do throws(Refusal) {
          return try TabsOperations.select(&run, .tab(Int(clamping: index)), around: context.flow)
        } catch {
          // The index comes from the definition or a param, so the refusal cannot name a member of the action's body as faulty.
          throw error.code == .invalid ? Refusal(.valueMismatch, "select: \(index): \(error.detail)") : error
        }
      }
    case .show(let child, let screen):
      let (flow, top) = (compile(Contribution(.flow(child))), screen.map(compile))
      return { run, context throws(Refusal) in try SwitchOperations.show(&run, child, as: flow, screen: top, in: context) }
    case .end(let template):
      let step = compile(template)
      return { run, context throws(Refusal) in
        try Flows.end(&run, context.flow, sending: step, scope: context.scope)
        return nil
      }
    case .give(let values):
      let recipe = Recipe(values)
      return { run, context throws(Refusal) in try Results.give(&run, recipe, in: context) }
    case .forward(let template):
      let step = compile(template)
      return { run, context throws(Refusal) in
        try Flows.forward(&run, step, in: context)
        return nil
      }
    case .write(let expressions):
      if let refusing = refusing(writesTo: expressions.keys) { return refusing }
      let sorted = expressions.sortedByKey
      return { run, context throws(Refusal) in
        var change: NoChange?
        for (fact, expression) in sorted {
          change = try Facts.write(&run, run.value(of: expression, in: context.scope), to: fact, in: context.scope) ?? change
        }
        return change
      }
    case .clear(let facts):
      if let refusing = refusing(writesTo: facts) { return refusing }
      return { run, context throws(Refusal) in
        var change: NoChange?
        for fact in facts { change = try Facts.write(&run, nil, to: fact, in: context.scope) ?? change }
        return change
      }
    case .content(let edits, let place):
      return { run, context throws(Refusal) in try ContentEdits.edit(&run, edits, of: place, scope: context.scope) }
    case .load(let load, let anchor, let place):
      return { run, context throws(Refusal) in
        guard let owner = try Effects.owner(run, anchor, nearest: place, in: context) else { return .dismissed }
        return try Effects.startLoad(&run, load, of: owner, scope: context.scope)
      }
    case .submit(let submission):
      return { run, context throws(Refusal) in try Messages.submit(&run, submission, in: context) }
    case .after(let timer, let anchor):
      let template = compile(timer)
      return { run, context throws(Refusal) in
        guard let owner = Flows.anchored(run, anchor, in: context) else { return .dismissed }
        try Effects.startTimer(&run, template, of: owner, scope: context.scope)
        return nil
      }
    case .cancel(let name):
      return { run, context throws(Refusal) in
        Effects.cancel(&run, named: name, below: context.scope.emitter?.id ?? context.flow, of: context.flow)
        return nil
      }
    case .logout:
      return { run, _ throws(Refusal) in
        Logins.logout(&run)
        return nil
      }
    case .cancelLinks:
      return { run, _ throws(Refusal) in
        HeldLinks.dropAll(&run, "cancelled")
        return nil
      }
    case .proceed:
      return { run, context throws(Refusal) in
        guard let question = run.state.question else {
          run.report.tell(.nothingAsked)
          return nil
        }
        let intent = Intent(number: -1, step: Step("proceed"))
        let receiver = TurnQueue.Item.Receiver.question(question.id, of: question.node)
        run.turns.follow(.proceed, TurnQueue.Item(intent: intent, receiver: receiver, emitter: context.scope.emitter))
        return nil
      }
    case .forget:
      return { run, _ throws(Refusal) in
        run.report.noteForgetting()
        return .forgotten
      }
    case .none:
      return { _, _ throws(Refusal) in nil }
    }
  }

  /// An instruction that refuses to write those of `facts` whose values come from the environment; `nil` if there are none. Loads may be
  /// sent to the URL in such a fact. Definitions stored before this rule existed may contain a handler that writes one.
  private func refusing(writesTo facts: some Sequence<String>) -> Instruction? {
    guard let fact = facts.filter({ definition.facts[$0]?.environment != nil }).min() else { return nil }
    return { _, _ throws(Refusal) in
      throw Refusal(.valueMismatch, "the fact \(fact) is read from the environment, so no operation can change it")
    }
  }
}
