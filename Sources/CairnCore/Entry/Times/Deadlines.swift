/// Parses date-times of ISO 8601 with a time zone, such as `2026-03-01T12:00:00Z` or `2026-03-01T13:00:00.5+01:00`.
///
/// The calendar is the proleptic Gregorian one, with years from 0001 to 9999. The seconds and their fraction may be omitted. Digits of the
/// fraction after the milliseconds are ignored.
public struct ISOTime {
  private let bytes: [UInt8]
  private var place = 0
  private var isValid = true

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The moment in milliseconds since 1970; `nil` if the text is not a valid date-time with `Z` or an offset.
  public static func milliseconds(_ text: String) -> WideInt? {
    var reader = ISOTime(text)
    let time = reader.read()
    return reader.isValid && reader.place == reader.bytes.count && moments.contains(time) ? time : nil
  }

  /// The moments from the year 0001 to the year 9999, in milliseconds since 1970.
  static let moments: ClosedRange<WideInt> = -62_135_596_800_000...253_402_300_799_999

  private mutating func read() -> WideInt {
    let year = number(4, 1...9_999)
    skip("-")
    let month = number(2, 1...12)
    skip("-")
    let day = number(2, 1...CalendarDay.length(of: month, in: year))
    skip("T")
    var minutes = number(2, 0...23) * 60
    skip(":")
    minutes += number(2, 0...59)
    var milliseconds: WideInt = 0
    if has(":") { milliseconds = number(2, 0...59) * 1_000 }
    if has(".") {
      let start = place
      var unit: WideInt = 100
      while place < bytes.count, 48...57 ~= bytes[place] {
        milliseconds += WideInt(bytes[place] - 48) * unit
        unit /= 10
        place += 1
      }
      isValid = isValid && place > start
    }
    if !has("Z") {
      let isAhead = has("+")
      if !isAhead { skip("-") }
      var offset = number(2, 0...23) * 60
      skip(":")
      offset += number(2, 0...59)
      minutes -= isAhead ? offset : -offset
    }
    return (CalendarDay.days(year, month, day) * 1_440 + minutes) * 60_000 + milliseconds
  }

  /// Reads exactly this many digits, as a number in `range`. If they do not follow, marks the text as invalid and returns the lower bound.
  private mutating func number(_ digits: Int, _ range: ClosedRange<WideInt>) -> WideInt {
    var number: WideInt = 0
    for _ in 0..<digits {
      guard place < bytes.count, 48...57 ~= bytes[place] else {
        isValid = false
        return range.lowerBound
      }
      number = number * 10 + WideInt(bytes[place] - 48)
      place += 1
    }
    if !range.contains(number) { isValid = false }
    return range.contains(number) ? number : range.lowerBound
  }

  private mutating func has(_ mark: Unicode.Scalar) -> Bool {
    guard place < bytes.count, bytes[place] == UInt8(truncatingIfNeeded: mark.value) else { return false }
    place += 1
    return true
  }

  private mutating func skip(_ mark: Unicode.Scalar) { if !has(mark) { isValid = false } }
}

extension Value {
  /// The moment that the value names, in milliseconds since 1970: an ISO 8601 date-time with a time zone, or a whole number; `nil` for any
  /// other value, and outside the years 0001 to 9999.
  package var moment: WideInt? {
    switch self {
    case .string(let text): ISOTime.milliseconds(text)
    case .integer(let number): ISOTime.moments.contains(number) ? number : nil
    default: nil
    }
  }
}

extension Run {
  /// Returns the milliseconds until a timer that starts now is due; negative for a moment that has passed. Returns `nil` if the timer's
  /// value is missing, or if the value of a daily timer names no time zone. Throws if the value is not a moment, or not a duration of at
  /// most 100 years.
  func delay(of timer: Timer, in scope: Scope) throws(Refusal) -> WideInt? {
    guard let expression = timer.value else { return timer.delay }
    guard let value = value(of: expression, in: scope), value != .null else { return nil }
    if timer.isDaily { return evaluator.zone(value, state).map { $0.next(timer.delay, after: timerTime) - timerTime } }
    if timer.isMoment {
      if let moment = value.moment { return moment - timer.delay - timerTime }
    } else if case let amount = value.amount * Double(timer.delay), amount.magnitude <= DurationText.limit {
      return WideInt(amount)
    }
    throw Refusal(
      .valueMismatch, "the value of the timer that sends \(timer.step.step) is not a \(timer.isMoment ? "moment" : "duration")")
  }

  /// The time from which the timers that the action starts are counted, in milliseconds since 1970: the time at which the user acted or, if
  /// it is unknown, the action's time.
  var timerTime: WideInt { stamp.clientTime?.happened ?? stamp.time }

  /// The shortest delay of a timer with a value. It is not 0 at the end of an effect. Otherwise, this end could start a timer that is due
  /// at once and starts itself again, without end.
  var shortestDelay: WideInt { isEndOfEffect ? Restarts.interval : 0 }
}

extension Value {
  /// The value as a number; infinite if it is not a number.
  fileprivate var amount: Double {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: .infinity
    }
  }
}
