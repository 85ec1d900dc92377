extension Contribution: Coded {
  package static var blank: Contribution { Contribution(.screen("")) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Contribution, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it.target, ["screen", "flow"], [.screen(""), .flow("")])
    switch it.target {
    case .screen(let name): it.target = try .screen(coder.coded("screen", name))
    case .flow(let name): it.target = try .flow(coder.coded("flow", name))
    }
    try coder.table("with", &it.with)
    try coder.table("facts", &it.facts)
    try coder.list("start", &it.start)
    try coder.flag("hidden", &it.listen.hidden)
    try coder.flag("dismissed", &it.listen.dismissed)
    try coder.member("load", &it.load)
    try coder.list("after", &it.after)
    try coder.member("left", &it.steps.removed)
    try coder.member("seen", &it.steps.seen)
    try coder.member("unseen", &it.steps.unseen)
    try coder.member("leave", &it.leave)
    try coder.flag("sealed", &it.isSealed)
    try coder.member("content", &it.content)
    try coder.member("then", &it.then)
    try coder.member("else", &it.otherwise)
  }
}

/// The coded form omits the source, because clients must not know it. A load that was read has an empty request.
extension Load: Coded {
  package static var blank: Load { Load(.request(LoadRequest(.get, .literal("")))) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Load, _ coder: inout C) throws(C.Failure) {
    try coder.member("delay", &it.delay, unless: 0)
    try coder.member("then", &it.then)
    try coder.member("else", &it.otherwise)
    try coder.flag("restart", &it.restart)
    try coder.flag("visible", &it.whileVisible)
  }
}

extension Timer: Coded {
  package static var blank: Timer { Timer(delay: 0, step: .blank) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Timer, _ coder: inout C) throws(C.Failure) {
    try coder.member("name", &it.name)
    try coder.member("delay", &it.delay)
    try coder.flag("repeats", &it.repeats)
    try coder.member("step", &it.step)
    try coder.flag("visible", &it.whileVisible)
    try coder.member("covered", &it.covered)
    try coder.flag("startsSeen", &it.startsSeen)
    try coder.member("value", &it.value)
    try coder.flag("moment", &it.isMoment)
    try coder.flag("daily", &it.isDaily)
    try coder.flag("restart", &it.restarts)
  }
}

extension Timer.Covered: CodedWord {
  package static var blank: Timer.Covered { .wait }
}

extension PresentationStyle: CodedValue {
  package static var blank: PresentationStyle { .sheet }

  package static func code<C: Coder & ~Copyable>(_ it: inout PresentationStyle, _ coder: inout C) throws(C.Failure) {
    var word = NodeFormat.word(it)
    try coder.code(&word)
    if let known = NodeFormat.presentationStyle(word) { it = known } else { try coder.reject("an unknown style") }
  }
}
