import CairnJournal

/// Counts requests by method, route and status. Not thread-safe: the owner protects it with a lock.
struct Tally {
  struct Key {
    var method: RequestRecord.Method
    var route: Route?
  }

  struct Series {
    var status: Int
    var count = 0
    var nanoseconds: UInt64 = 0
    /// The count of each bucket, not cumulative. The last bucket has no upper bound.
    var buckets = [Int](repeating: 0, count: Tally.bounds.count + 1)
  }

  /// The upper bounds of the histogram's buckets, in nanoseconds.
  static let bounds = Durations.bounds

  private static let methods = RequestRecord.Method.allCases
  private static let places = Route.all.count + 1

  /// The series by method and route. Each element contains one series per status.
  private var series = [[Series]](repeating: [], count: methods.count * places)

  /// All series, in no particular order.
  var all: [(key: Key, series: Series)] {
    series.enumerated().flatMap { place, list in
      let number = place % Self.places
      let route = number < Route.all.count ? Route.all[number] : nil
      return list.map { (Key(method: Self.methods[place / Self.places], route: route), $0) }
    }
  }

  mutating func add(_ record: RequestRecord) {
    let bucket = Self.bounds.firstIndex { record.nanoseconds <= $0 } ?? Self.bounds.count
    let place = Self.place(record.method, record.route)
    let index = index(of: record.status, at: place)
    series[place][index].count += 1
    series[place][index].nanoseconds += record.nanoseconds
    series[place][index].buckets[bucket] += 1
  }

  mutating func add(_ other: Tally) {
    for place in series.indices {
      for theirs in other.series[place] {
        let index = index(of: theirs.status, at: place)
        series[place][index].count += theirs.count
        series[place][index].nanoseconds += theirs.nanoseconds
        for bucket in theirs.buckets.indices { series[place][index].buckets[bucket] += theirs.buckets[bucket] }
      }
    }
  }

  private mutating func index(of status: Int, at place: Int) -> Int {
    if let index = series[place].firstIndex(where: { $0.status == status }) { return index }
    series[place].append(Series(status: status))
    return series[place].count - 1
  }

  private static func place(_ method: RequestRecord.Method, _ route: Route?) -> Int {
    (methods.firstIndex(of: method) ?? methods.count - 1) * places + (route.map { Int($0.number) } ?? places - 1)
  }
}
