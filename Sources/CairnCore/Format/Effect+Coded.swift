extension Effect: Coded {
  package static var blank: Effect { Effect(id: 0, owner: nil, start: 0, work: .exchange()) }

  package static func members<C: Coder & ~Copyable>(_ it: inout Effect, _ coder: inout C) throws(C.Failure) {
    try coder.member("id", &it.id)
    try coder.node("owner", &it.owner)
    try coder.number("start", &it.start, in: 0...State.latestTime)
    #if !CLIENT_ENGINE
      try coder.number("received", &it.received, in: 0...State.latestTime)
    #endif
    try coder.flag("whileVisible", &it.whileVisible)
    try coder.member("covered", &it.covered, unless: .fire)
    try coder.flag("idle", &it.isIdle)
    try coder.flag("waited", &it.hasWaited)
    try coder.flag("moment", &it.isMoment)
    try coder.member("zone", &it.zone)
    try coder.member("time", &it.timeOfDay, unless: 0)
    try coder.member("to", &it.to)
    try coder.member("work", &it.work)
  }
}

/// Work is an object with one member, whose name is the kind of work.
extension Effect.Work: Coded {
  package static var blank: Effect.Work { .exchange() }

  private static let words: [StaticString] = ["timer", "value", "request", "exchange", "message"]
  private static let cases: [Effect.Work] = [
    .timer(name: nil, step: .blank, delay: 0, period: nil, ticks: 0), .value(.null, delay: 0, then: nil, otherwise: nil),
    .request(url: "", bearer: false, delay: 0, then: nil, otherwise: nil), .exchange(), .message(.blank),
  ]

  package static func members<C: Coder & ~Copyable>(_ it: inout Effect.Work, _ coder: inout C) throws(C.Failure) {
    try coder.choose(&it, words, cases)
    switch it {
    case .timer(var name, var step, var delay, var period, var ticks):
      let outer = try coder.open("timer")
      try coder.member("name", &name)
      try coder.member("step", &step)
      try coder.member("delay", &delay)
      try coder.number("period", &period, in: 1...State.highestNumber)
      try coder.member("ticks", &ticks)
      try coder.close(outer)
      it = .timer(name: name, step: step, delay: delay, period: period, ticks: ticks)
    case .value(var value, var delay, var then, var otherwise):
      let outer = try coder.open("value")
      try coder.member("value", &value)
      try coder.member("delay", &delay)
      try coder.member("then", &then)
      try coder.member("otherwise", &otherwise)
      try coder.close(outer)
      it = .value(value, delay: delay, then: then, otherwise: otherwise)
    case .request(var url, var bearer, var delay, var then, var otherwise, var terms):
      let outer = try coder.open("request")
      try coder.member("url", &url)
      try coder.member("bearer", &bearer)
      try coder.member("delay", &delay)
      try coder.member("then", &then)
      try coder.member("otherwise", &otherwise)
      try coder.member("terms", &terms)
      try coder.close(outer)
      it = .request(url: url, bearer: bearer, delay: delay, then: then, otherwise: otherwise, terms: terms)
    case .exchange(let grant):
      let outer = try coder.open("exchange")
      var isRefresh = grant == .refresh
      try coder.flag("refresh", &isRefresh)
      try coder.close(outer)
      it = .exchange(isRefresh ? .refresh : .code)
    case .message(let message): it = try .message(coder.coded("message", message))
    }
  }
}

/// The stored form of changed effects: new and changed effects completely, and the ids of removed ones.
enum EffectFormat {
  static func writeChanged(from old: [Effect], to new: [Effect], _ writer: inout JSONWriter) {
    guard old != new else { return }
    // Both lists are sorted by id, which is the order of creation, so they can be merged in one pass.
    var changed: [Effect] = []
    var gone: [WideInt] = []
    var rest = old[...]
    for effect in new {
      while let first = rest.first, first.id < effect.id {
        gone.append(first.id)
        rest.removeFirst()
      }
      if let first = rest.first, first.id == effect.id {
        rest.removeFirst()
        if first == effect { continue }
      }
      changed.append(effect)
    }
    gone += rest.map { $0.id }
    if !gone.isEmpty { writer.member("c", gone) }
    guard !changed.isEmpty else { return }
    writer.name("e")
    [Effect].write(changed, &writer)
  }

  static func readChanged(into effects: inout [Effect], _ value: JSONElement) throws(UnreadableFormat) {
    for element in try value.readElements() {
      let effect = try Effect(reading: element)
      if let place = effects.firstIndex(where: { $0.id >= effect.id }) {
        if effects[place].id == effect.id { effects[place] = effect } else { effects.insert(effect, at: place) }
      } else {
        effects.append(effect)
      }
    }
  }
}
