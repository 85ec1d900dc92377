extension Step: Coded {
  package static var blank: Step { Step("") }

  package static func members<C: Coder & ~Copyable>(_ it: inout Step, _ coder: inout C) throws(C.Failure) {
    try coder.member("step", &it.step)
    if try coder.begin("params", if: !it.params.isEmpty) { try coder.code(unsorted: &it.params) }
  }
}

extension StepTemplate: Coded {
  package static var blank: StepTemplate { StepTemplate("") }

  package static func members<C: Coder & ~Copyable>(_ it: inout StepTemplate, _ coder: inout C) throws(C.Failure) {
    try coder.member("step", &it.step)
    try coder.table("with", &it.with)
    try coder.member("to", &it.to)
    try coder.flag("hides", &it.hidesValues)
  }
}

extension Operation.Destination: CodedWord {
  package static var blank: Operation.Destination { .current }
}

/// A guard is an object with the members of the step that asks, if there is one, followed by the members of the guard itself.
extension Leave: Coded {
  package static var blank: Leave { .refuse }

  package static func members<C: Coder & ~Copyable>(_ it: inout Leave, _ coder: inout C) throws(C.Failure) {
    coder.chooseIfAny(&it, ["step"], [Leave(ask: .blank)])
    if var step = it.ask {
      try StepTemplate.members(&step, &coder)
      it.ask = step
    }
    try coder.member("when", &it.when)
    try coder.flag("tabs", &it.asksBeforeTabs)
  }
}

/// The receiver of a node's result: `{"node":1,"then":{…},"else":{…}}`.
extension ResultReceiver: Coded {
  package static var blank: ResultReceiver { ResultReceiver(node: NodeID(0)) }

  package static func members<C: Coder & ~Copyable>(_ it: inout ResultReceiver, _ coder: inout C) throws(C.Failure) {
    try coder.node("node", &it.node)
    try coder.member("then", &it.then)
    try coder.member("else", &it.otherwise)
  }
}
