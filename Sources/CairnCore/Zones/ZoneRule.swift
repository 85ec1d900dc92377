#if !CLIENT_ENGINE
  /// The rule by which a zone changes its offset each year, from the footer of a TZif file (RFC 9636, 3.3; POSIX, 8.3, `TZ`).
  struct ZoneRule: Sendable {
    /// The standard offset, in seconds east of UTC. In the text of a rule, offsets count west of UTC.
    let standard: WideInt
    private let summer: (offset: WideInt, start: YearDay, end: YearDay)?

    /// A moment of each year, by the clock that is in use until this moment.
    private struct YearDay: Sendable {
      enum Form: Sendable {
        /// The day of the year, from 1; 29 February is never counted.
        case julian(WideInt)
        /// The day of the year, from 0; 29 February is counted.
        case ordinal(WideInt)
        /// The n-th weekday of a month, with 0 for Sunday. Week 5 is the last such weekday.
        case weekday(month: WideInt, week: WideInt, day: WideInt)
      }

      var form: Form
      /// Seconds after midnight; may be negative or more than a day.
      var time: WideInt

      /// The moment of a year, in seconds since 1970 by that clock.
      func local(in year: WideInt) -> WideInt {
        let first = CalendarDay.days(year, 1, 1)
        let day: WideInt
        switch form {
        case .julian(let number): day = first + number - 1 + (CalendarDay.isLeap(year) && number >= 60 ? 1 : 0)
        case .ordinal(let number): day = first + number
        case .weekday(let month, let week, let weekday):
          let begin = CalendarDay.days(year, month, 1)
          // 1 January 1970 was a Thursday.
          let offset = (weekday - (begin + 4) % 7 + 14) % 7
          let length = CalendarDay.length(of: month, in: year)
          let number = offset + (week - 1) * 7
          day = begin + (number < length ? number : number - 7)
        }
        return day * 86_400 + time
      }
    }

    /// Reads a rule such as `CET-1CEST,M3.5.0,M10.5.0/3`; `nil` if the text is empty or invalid.
    init?(_ text: String) {
      var rest = Array(text.utf8)[...]
      guard Self.name(&rest), let west = Self.time(&rest) else { return nil }
      standard = -west
      guard !rest.isEmpty else {
        summer = nil
        return
      }
      guard Self.name(&rest) else { return nil }
      let offset = rest.first == UInt8(ascii: ",") ? standard + 3_600 : Self.time(&rest).map { -$0 }
      guard let offset, let start = Self.day(&rest), let end = Self.day(&rest), rest.isEmpty else { return nil }
      summer = (offset, start, end)
    }

    /// The changes of a year, in order.
    func changes(in year: WideInt) -> [ZoneWindow.Change] {
      guard let summer else { return [] }
      let start = ZoneWindow.Change(at: (summer.start.local(in: year) - standard) * 1_000, offset: summer.offset)
      let end = ZoneWindow.Change(at: (summer.end.local(in: year) - summer.offset) * 1_000, offset: standard)
      return start.at < end.at ? [start, end] : [end, start]
    }

    private static func take(_ byte: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
      guard rest.first == UInt8(ascii: byte) else { return false }
      rest.removeFirst()
      return true
    }

    /// Skips the abbreviation of an offset, such as `CET` or `<+03>`. Returns false if there is none.
    private static func name(_ rest: inout ArraySlice<UInt8>) -> Bool {
      if take("<", &rest) {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let before = rest.count
      rest = rest.drop { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
      return rest.count < before
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> WideInt? {
      let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      guard !digits.isEmpty, digits.count <= 4 else { return nil }
      rest = rest.dropFirst(digits.count)
      return digits.reduce(0) { $0 * 10 + WideInt($1 - UInt8(ascii: "0")) }
    }

    /// Reads a time as hours with optional minutes and seconds, and returns its seconds; `nil` if the text does not begin with a time.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> WideInt? {
      let sign: WideInt = take("-", &rest) ? -1 : 1
      if sign == 1 { _ = take("+", &rest) }
      guard let hours = number(&rest) else { return nil }
      var seconds = hours * 3_600
      for unit: WideInt in [60, 1] where take(":", &rest) {
        guard let part = number(&rest) else { return nil }
        seconds += part * unit
      }
      return sign * seconds
    }

    /// Reads a comma and a day of the year, with an optional time after a slash; the default is 2 o'clock. Returns `nil` for other text.
    private static func day(_ rest: inout ArraySlice<UInt8>) -> YearDay? {
      guard take(",", &rest) else { return nil }
      let form: YearDay.Form
      if take("M", &rest) {
        guard let month = number(&rest), take(".", &rest), let week = number(&rest), take(".", &rest), let day = number(&rest),
          (1...12).contains(month), (1...5).contains(week), (0...6).contains(day)
        else { return nil }
        form = .weekday(month: month, week: week, day: day)
      } else {
        let isJulian = take("J", &rest)
        guard let number = number(&rest), (isJulian ? 1...365 : 0...365).contains(number) else { return nil }
        form = isJulian ? .julian(number) : .ordinal(number)
      }
      guard take("/", &rest) else { return YearDay(form: form, time: 7_200) }
      return time(&rest).map { YearDay(form: form, time: $0) }
    }
  }
#endif
