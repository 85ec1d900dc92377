import CairnCore
import CairnRuntime

/// Reads timers, and the operation that cancels them.
struct TimerReader: PartReader {
  let context: ReaderContext

  /// Reads `{ after | every | at | daily, unit, before, zone, send, with, to, name, while, covered, start, restart }`. Returns `nil` after reporting an error.
  func timer(_ element: Element, in scope: Surroundings) -> Timer? {
    guard let fields = fields(of: element, "a timer", .timer) else { return nil }
    let times = ["after", "every", "at", "daily"].filter { fields[$0] != nil }
    guard times.count == 1 else {
      let needed = times.isEmpty ? "`after`, `every`, `at` or `daily`" : "only one of `after`, `every`, `at` and `daily`"
      report("a timer needs \(needed)", at: element.position)
      _ = steps.step(from: fields, in: scope)
      return nil
    }
    let delay = delay(of: fields, in: scope)
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
    let restarts = flag(fields["restart"], "`restart`")
    if restarts, name == nil {
      report("a timer with `restart` needs `name`: it replaces the running timer with this name", at: fields.position(of: "restart"))
    }
    guard let step = steps.step(from: fields, in: scope), let delay else { return nil }
    var timer = Timer(
      name: name, delay: delay.milliseconds, repeats: fields["every"] != nil, step: step, whileVisible: whileVisible,
      covered: fields["covered"].flatMap { word($0, "`covered`") }, startsSeen: fields["start"].map { isSeen($0) } ?? false)
    timer.value = delay.value
    timer.isDaily = fields["daily"] != nil
    timer.isMoment = fields["at"] != nil || timer.isDaily
    timer.restarts = restarts
    return timer
  }

  /// Reads the time of a timer. For `every` and `after`: a duration, or a value and the length of its unit. For `at`: the moment as the
  /// value, and the duration by which the timer precedes it. For `daily`: the time of day, and the zone as the value. Returns `nil` after
  /// reporting an error.
  private func delay(of fields: Fields, in scope: Surroundings) -> (milliseconds: Int, value: Expression?)? {
    if fields["before"] != nil, fields["at"] == nil {
      report("`before` is allowed only with `at`", at: fields.position(of: "before"))
    }
    if fields["unit"] != nil, fields["after"] == nil {
      report("`unit` is allowed only with `after`", at: fields.position(of: "unit"))
    }
    if fields["zone"] != nil, fields["daily"] == nil {
      report("`zone` is allowed only with `daily`", at: fields.position(of: "zone"))
    }
    if let daily = fields["daily"] {
      let zone = zone(fields["zone"], "a timer with `daily`", at: daily.position, in: scope)
      guard let time = timeOfDay(daily, "`daily`"), let zone else { return nil }
      return (time, zone)
    }
    if let every = fields["every"] {
      return duration(every, "`every`", atLeast: max(1, context.limits.shortestTimer)).map { ($0, nil) }
    }
    if let at = fields["at"] {
      let before = fields["before"].map { duration($0, "`before`") } ?? 0
      guard let value = moment(at, "`at`", in: scope), let before else { return nil }
      return (before, value)
    }
    guard let after = fields["after"] else { return nil }
    let isDuration = after.text.map { DurationText.read($0) != nil } ?? false
    guard let unit = fields["unit"] else {
      if after.text?.hasPrefix("$") == true {
        report("`after` with a value needs `unit`: `s`, `m`, `h` or `d`", at: after.position)
        return nil
      }
      return duration(after, "`after`", atLeast: context.limits.shortestTimer).map { ($0, nil) }
    }
    guard !isDuration else {
      report("`unit` is allowed only if `after` is a number or a value, like `$minutes`", at: unit.position)
      return nil
    }
    guard let value = expressions.expression(after, in: scope) else { return nil }
    expressions.check(value, fits: ParameterDefinition(.number), "`after`", at: after.position, in: scope)
    guard ["s", "m", "h", "d"].contains(unit.text), let length = unit.text.flatMap({ DurationText.milliseconds("1\($0)") }) else {
      report("`unit` must be `s`, `m`, `h` or `d`, not \(described(unit))", at: unit.position)
      return nil
    }
    return (length, value)
  }

  /// Reads a time of day such as `"06:30"`, as milliseconds since midnight. Returns `nil` after reporting an error.
  func timeOfDay(_ element: Element, _ what: String) -> Int? {
    let digits = element.text.map { Array($0.utf8) } ?? []
    let numbers = digits.map { Int($0) - 48 }
    if digits.count == 5, digits[2] == UInt8(ascii: ":"), [0, 1, 3, 4].allSatisfy({ 0...9 ~= numbers[$0] }) {
      let (hour, minute) = (numbers[0] * 10 + numbers[1], numbers[3] * 10 + numbers[4])
      if hour < 24, minute < 60 { return (hour * 60 + minute) * 60_000 }
    }
    report("\(what) must be a time of day in quotation marks, like `\"06:30\"`, not \(described(element))", at: element.position)
    return nil
  }

  /// Reads the name of a time zone: a text or a value. Returns `nil` after reporting an error.
  func zone(_ element: Element?, _ what: String, at position: Position, in scope: Surroundings) -> Expression? {
    guard let element else {
      report("\(what) needs `zone`, such as `zone: Europe/Berlin`", at: position)
      return nil
    }
    guard let zone = expressions.expression(element, in: scope) else { return nil }
    expressions.check(zone, fits: ParameterDefinition(.string), "`zone`", at: element.position, in: scope)
    // On a machine without tzdata no zone is found, so no zone is reported as unknown.
    if case .literal(.string(let name)) = zone, ZoneFiles.content(of: name) == nil, ZoneFiles.content(of: "UTC") != nil {
      report(
        "there is no time zone `\(name)`: no timer with this zone starts, and no condition with it is true", at: element.position,
        severity: .warning)
    }
    return zone
  }

  /// Reads a moment: a value, or an ISO 8601 text with a time zone. Returns `nil` after reporting an error.
  func moment(_ element: Element, _ what: String, in scope: Surroundings) -> Expression? {
    guard let value = expressions.expression(element, in: scope) else { return nil }
    let isPossible =
      if case .literal(let known) = value {
        known.moment != nil
      } else {
        [nil, .any, .string, .integer, .number].contains(expressions.kind(of: value, in: scope))
      }
    if isPossible { return value }
    report(
      "\(what) must be a moment: an ISO 8601 text with a time zone, like `2026-03-01T12:00:00Z`, or milliseconds since 1970, not \(described(element))",
      at: element.position)
    return nil
  }

  private func isSeen(_ element: Element) -> Bool {
    if element.text == "seen" { return true }
    report("`start` of a timer must be `seen`, not \(described(element))", at: element.position)
    return false
  }

  /// Reads `idle: { for, send }` of a flow. Returns an empty list if it is missing, or after reporting an error.
  func idle(_ element: Element?, in scope: Surroundings) -> [Timer] {
    guard let element, let fields = fields(of: element, "`idle`", .idle),
      let delay = duration(fields["for"], "`for` of `idle`", atLeast: 1_000), let step = steps.step(from: fields, in: scope)
    else { return [] }
    return [Timer(name: "", delay: delay, step: step)]
  }

  /// Reports the names in `cancel` operations that are not the name of any timer.
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
