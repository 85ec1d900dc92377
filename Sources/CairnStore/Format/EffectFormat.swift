import CairnCore

/// Effects on the disk: those that are new or changed, each whole, and the ids of those that are gone.
enum EffectFormat {
  static func writeChanged(from old: [Effect], to new: [Effect], _ writer: inout DiskWriter) {
    guard old != new else { return }
    // Ids rise in the order of creation, in which a state holds its effects; so both lists can be walked side by side.
    var changed: [Effect] = []
    var gone: [Int] = []
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
    gone += rest.map(\.id)
    if !gone.isEmpty {
      writer.name("c")
      writer.open("[")
      for id in gone {
        writer.separate()
        writer.write(id)
      }
      writer.close("]")
    }
    guard !changed.isEmpty else { return }
    writer.name("e")
    writer.open("[")
    for effect in changed {
      writer.separate()
      write(effect, &writer)
    }
    writer.close("]")
  }

  static func readChanged(into effects: inout [Effect], _ reader: inout DiskReader) throws(UnreadableFormat) {
    try reader.array { reader throws(UnreadableFormat) in
      let effect = try effect(&reader)
      if let place = effects.firstIndex(where: { $0.id >= effect.id }) {
        if effects[place].id == effect.id { effects[place] = effect } else { effects.insert(effect, at: place) }
      } else {
        effects.append(effect)
      }
    }
  }

  private static func write(_ effect: Effect, _ writer: inout DiskWriter) {
    writer.open("{")
    writer.member("id", effect.id)
    if let owner = effect.owner { writer.member("owner", owner.number) }
    writer.member("start", effect.start)
    if effect.whileVisible { writer.member("whileVisible", true) }
    if let destination = effect.to { writer.member("to", destination.rawValue) }
    writer.name("work")
    writer.open("{")
    switch effect.work {
    case .timer(let name, let step, let delay, let period, let ticks):
      writer.name("timer")
      writer.open("{")
      if let name { writer.member("name", name) }
      writer.name("step")
      TemplateFormat.write(step, &writer)
      writer.member("delay", delay)
      if let period { writer.member("period", period) }
      writer.member("ticks", ticks)
    case .value(let value, let delay, let then, let otherwise):
      writer.name("value")
      writer.open("{")
      writer.name("_0")
      writer.write(value)
      writer.member("delay", delay)
      write(then, otherwise, &writer)
    case .request(let url, let bearer, let delay, let then, let otherwise, let terms):
      writer.name("request")
      writer.open("{")
      writer.member("url", url)
      writer.member("bearer", bearer)
      writer.member("delay", delay)
      write(then, otherwise, &writer)
      if let terms {
        writer.name("terms")
        TermsFormat.write(terms, &writer)
      }
    case .exchange:
      writer.name("exchange")
      writer.open("{")
    }
    writer.close("}")
    writer.close("}")
    writer.close("}")
  }

  private static func write(_ then: StepTemplate?, _ otherwise: StepTemplate?, _ writer: inout DiskWriter) {
    if let then {
      writer.name("then")
      TemplateFormat.write(then, &writer)
    }
    if let otherwise {
      writer.name("otherwise")
      TemplateFormat.write(otherwise, &writer)
    }
  }

  private static func effect(_ reader: inout DiskReader) throws(UnreadableFormat) -> Effect {
    var id: Int?
    var effect = Effect(id: 0, owner: nil, start: 0, work: .exchange)
    var work: Effect.Work?
    try reader.object { reader, member throws(UnreadableFormat) in
      switch member {
      case "id": id = try reader.integer()
      case "owner": effect.owner = try reader.node()
      case "start": effect.start = try reader.integer()
      case "whileVisible": effect.whileVisible = try reader.bool()
      case "to": effect.to = Operation.Destination(rawValue: try reader.string())
      case "work":
        try reader.object { reader, kind throws(UnreadableFormat) in work = try Self.work(kind, &reader) }
      default: throw reader.unknown(member)
      }
    }
    guard let id, let work else { throw reader.missing("an effect's id or work") }
    return Effect(id: id, owner: effect.owner, start: effect.start, work: work, whileVisible: effect.whileVisible, to: effect.to)
  }

  private static func work(_ kind: DiskName, _ reader: inout DiskReader) throws(UnreadableFormat) -> Effect.Work {
    var parts = WorkParts()
    try reader.object { reader, member throws(UnreadableFormat) in try parts.read(member, &reader) }
    switch kind {
    case "timer":
      guard let step = parts.step else { throw reader.missing("step") }
      return .timer(name: parts.name, step: step, delay: parts.delay, period: parts.period, ticks: parts.ticks)
    case "value":
      guard let value = parts.value else { throw reader.missing("_0") }
      return .value(value, delay: parts.delay, then: parts.then, otherwise: parts.otherwise)
    case "request":
      guard let url = parts.url else { throw reader.missing("url") }
      return .request(
        url: url, bearer: parts.bearer, delay: parts.delay, then: parts.then, otherwise: parts.otherwise, terms: parts.terms)
    case "exchange": return .exchange
    default: throw reader.unknown(kind)
    }
  }
}

/// What the kinds of work are made of.
private struct WorkParts {
  var name: String?
  var step: Step?
  var delay = 0
  var period: Int?
  var ticks = 0
  var value: Value?
  var url: String?
  var bearer = false
  var then: StepTemplate?
  var otherwise: StepTemplate?
  var terms: CallTerms?

  mutating func read(_ member: DiskName, _ reader: inout DiskReader) throws(UnreadableFormat) {
    switch member {
    case "name": name = try reader.string()
    case "step": step = try TemplateFormat.plainStep(&reader)
    case "delay": delay = try reader.integer()
    case "period": period = try reader.integer()
    case "ticks": ticks = try reader.integer()
    case "_0": value = try reader.value()
    case "url": url = try reader.string()
    case "bearer": bearer = try reader.bool()
    case "then": then = try TemplateFormat.step(&reader)
    case "otherwise": otherwise = try TemplateFormat.step(&reader)
    case "terms": terms = try TermsFormat.terms(&reader)
    default: throw reader.unknown(member)
    }
  }
}
