/// Days of the Gregorian calendar, also before its introduction (ISO 8601).
enum CalendarDay {
  static func isLeap(_ year: WideInt) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// The number of days of a month. `month` is from 1 to 12.
  static func length(of month: WideInt, in year: WideInt) -> WideInt {
    month == 2 ? (isLeap(year) ? 29 : 28) : 30 + (month + month / 8) % 2
  }

  /// The number of days from 1 January 1970 to a day of a year from 1 on.
  static func days(_ year: WideInt, _ month: WideInt, _ day: WideInt) -> WideInt {
    // Counts the days since 1 March 0000, so that a leap day is the last day of its year.
    let (years, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 719_469
  }

  #if !CLIENT_ENGINE
    /// The year of a moment in milliseconds since 1970, in UTC. It may differ by one near the beginning of a year.
    static func year(of moment: WideInt) -> WideInt { 1_970 + moment / 31_556_952_000 }
  #endif
}
