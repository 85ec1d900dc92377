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
    if !gone.isEmpty {
      writer.member("c", gone)
    }
    guard !changed.isEmpty else { return }
    writer.name("e")
    writer.beginArray()
    for effect in changed {
      write(effect, &writer)
    }
    writer.endArray()
  }

  static func readChanged(into effects: inout [Effect], _ value: JSONElement) throws(UnreadableFormat) {
    for element in try value.readElements() {
      let effect = try effect(element)
      if let place = effects.firstIndex(where: { $0.id >= effect.id }) {
        if effects[place].id == effect.id { effects[place] = effect } else { effects.insert(effect, at: place) }
      } else {
        effects.append(effect)
      }
    }
  }

  static func write(_ effect: Effect, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", effect.id)
    if let owner = effect.owner { writer.member("owner", owner.number) }
    writer.member("start", effect.start)
    if effect.whileVisible { writer.member("whileVisible", true) }
    if let destination = effect.to { writer.member("to", destination.rawValue) }
    writer.name("work")
    writer.beginObject()
    switch effect.work {
    case .timer(let name, let step, let delay, let period, let ticks):
      writer.name("timer")
      writer.beginObject()
      if let name { writer.member("name", name) }
      writer.name("step")
      TemplateFormat.write(step, &writer)
      writer.member("delay", delay)
      if let period { writer.member("period", period) }
      writer.member("ticks", ticks)
    case .value(let value, let delay, let then, let otherwise):
      writer.name("value")
      writer.beginObject()
      writer.member("_0", value)
      writer.member("delay", delay)
      write(then, otherwise, &writer)
    case .request(let url, let bearer, let delay, let then, let otherwise, let terms):
      writer.name("request")
      writer.beginObject()
      writer.member("url", url)
      writer.member("bearer", bearer)
      writer.member("delay", delay)
      write(then, otherwise, &writer)
      if let terms {
        writer.name("terms")
        TermsFormat.write(terms, &writer)
      }
    case .exchange(let grant):
      writer.name("exchange")
      writer.beginObject()
      if grant == .refresh { writer.member("refresh", true) }
    }
    writer.endObject()
    writer.endObject()
    writer.endObject()
  }

  private static func write(_ then: StepTemplate?, _ otherwise: StepTemplate?, _ writer: inout JSONWriter) {
    if let then {
      writer.name("then")
      TemplateFormat.write(then, &writer)
    }
    if let otherwise {
      writer.name("otherwise")
      TemplateFormat.write(otherwise, &writer)
    }
  }

  private static func effect(_ element: JSONElement) throws(UnreadableFormat) -> Effect {
    var id: WideInt?
    var effect = Effect(id: 0, owner: nil, start: 0, work: .exchange())
    var work: Effect.Work?
    for (member, value) in try element.readMembers() {
      switch member {
      case "id": id = try value.readNumber()
      case "owner": effect.owner = try value.readNode()
      case "start": effect.start = try value.readTime()
      case "whileVisible": effect.whileVisible = try value.readBool()
      case "to": effect.to = Operation.Destination(rawValue: try value.readString())
      case "work":
        for (kind, value) in try value.readMembers() { work = try Self.work(kind, value) }
      default: throw member.unknown
      }
    }
    guard let id, let work else { throw element.missing("an effect's id or work") }
    return Effect(id: id, owner: effect.owner, start: effect.start, work: work, whileVisible: effect.whileVisible, to: effect.to)
  }

  private static func work(_ kind: JSONElement, _ element: JSONElement) throws(UnreadableFormat) -> Effect.Work {
    var parts = WorkParts()
    for (member, value) in try element.readMembers() { try parts.read(member, value) }
    switch kind {
    case "timer":
      guard let step = parts.step else { throw element.missing("step") }
      return .timer(name: parts.name, step: step, delay: parts.delay, period: parts.period, ticks: parts.ticks)
    case "value":
      guard let value = parts.value else { throw element.missing("_0") }
      return .value(value, delay: parts.delay, then: parts.then, otherwise: parts.otherwise)
    case "request":
      guard let url = parts.url else { throw element.missing("url") }
      return .request(
        url: url, bearer: parts.bearer, delay: parts.delay, then: parts.then, otherwise: parts.otherwise, terms: parts.terms)
    case "exchange": return .exchange(parts.refresh ? .refresh : .code)
    default: throw kind.unknown
    }
  }
}

/// The members of all kinds of work.
private struct WorkParts {
  var name: String?
  var step: Step?
  var delay: WideInt = 0
  var period: WideInt?
  var ticks: WideInt = 0
  var value: Value?
  var url: String?
  var bearer = false
  var then: StepTemplate?
  var otherwise: StepTemplate?
  var terms: CallTerms?
  var refresh = false

  mutating func read(_ member: JSONElement, _ value: JSONElement) throws(UnreadableFormat) {
    switch member {
    case "name": name = try value.readString()
    case "step": step = try TemplateFormat.plainStep(value)
    case "delay": delay = try value.readNumber()
    case "period":
      period = try value.readNumber()
      guard period != 0 else { throw value.fault("a period of nothing") }
    case "ticks": ticks = try value.readNumber()
    case "_0": self.value = value.stored
    case "url": url = try value.readString()
    case "bearer": bearer = try value.readBool()
    case "then": then = try TemplateFormat.step(value)
    case "otherwise": otherwise = try TemplateFormat.step(value)
    case "refresh": refresh = try value.readBool()
    case "terms": terms = try TermsFormat.terms(value)
    default: throw member.unknown
    }
  }
}
