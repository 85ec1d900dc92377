#if !CLIENT_ENGINE
  /// A time zone from tzdata, in the format TZif (RFC 9636).
  public struct ZoneFile: Sendable {
    /// The offset in seconds before the first change.
    private var first: WideInt
    private var changes: [ZoneWindow.Change]
    /// The rule for moments after the last change; `nil` if the offset then stays the same.
    private var rule: ZoneRule?

    /// Reads a file; `nil` if it is not a TZif file of version 2 or later, or if it counts leap seconds.
    public init?(_ bytes: [UInt8]) {
      var reader = ZoneReader(bytes)
      // The first block has 32-bit moments and is skipped.
      guard let short = reader.header(), short.version >= UInt8(ascii: "2"), reader.skip(short.length(momentSize: 4)),
        let header = reader.header(), header.leaps == 0
      else { return nil }
      let moments = (0..<header.changes).compactMap { _ in reader.integer(8) }
      let types = (0..<header.changes).compactMap { _ in reader.integer(1).map { Int($0) } }
      var offsets: [WideInt] = []
      for _ in 0..<header.types {
        guard let offset = reader.integer(4), reader.skip(2) else { return nil }
        offsets.append(offset)
      }
      guard moments.count == header.changes, types.count == header.changes, let begin = offsets.first,
        types.allSatisfy({ offsets.indices.contains($0) }), zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 }),
        reader.skip(header.names + header.standards + header.universals)
      else { return nil }
      first = begin
      changes = zip(moments, types).map { .init(at: $0.multipliedSaturated(by: 1_000), offset: offsets[$1]) }
      let footer = reader.footer() ?? ""
      rule = ZoneRule(footer)
      guard footer.isEmpty || rule != nil else { return nil }
    }

    /// The offsets of the zone `name` in the period from `from` up to, but not including, `until`, both in milliseconds since 1970.
    public func window(of name: String, from: WideInt, until: WideInt) -> ZoneWindow {
      var window = ZoneWindow(name, from: from, until: until, offset: first)
      var all = changes
      if let rule {
        let last = changes.last?.at ?? .min
        if changes.isEmpty { window.offset = rule.standard }
        let years = CalendarDay.year(of: from) - 2...CalendarDay.year(of: until) + 1
        all += years.flatMap { rule.changes(in: $0) }.filter { $0.at > last }
      }
      for change in all where change.at < until {
        if change.at <= from {
          window.offset = change.offset
        } else if change.offset != window.changes.last?.offset ?? window.offset {
          window.changes.append(change)
        }
      }
      return window
    }
  }

  /// Reads the big-endian integers of a TZif file.
  private struct ZoneReader {
    private let bytes: [UInt8]
    private var place = 0

    /// The counts in the header of a block.
    struct Header {
      var version: UInt8
      var universals: Int
      var standards: Int
      var leaps: Int
      var changes: Int
      var types: Int
      var names: Int

      func length(momentSize: Int) -> Int {
        changes * (momentSize + 1) + types * 6 + names + leaps * (momentSize + 4) + standards + universals
      }
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func skip(_ count: Int) -> Bool {
      guard count >= 0, bytes.count - place >= count else { return false }
      place += count
      return true
    }

    /// A signed integer of `size` bytes; `nil` at the end of the file.
    mutating func integer(_ size: Int) -> WideInt? {
      let start = place
      guard skip(size) else { return nil }
      let bits = bytes[start..<place].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let shift = UInt64(64 - 8 * size)
      return size == 1 ? WideInt(bits) : WideInt(Int64(bitPattern: bits << shift) >> Int64(shift))
    }

    mutating func header() -> Header? {
      guard bytes.count - place >= 44, bytes[place..<place + 4].elementsEqual("TZif".utf8) else { return nil }
      let version = bytes[place + 4]
      place += 20
      let counts = (0..<6).compactMap { _ in integer(4).map { Int($0) } }
      // A file is at most a few kilobytes long, so a larger count means that the file is damaged.
      guard counts.count == 6, counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
      return Header(
        version: version, universals: counts[0], standards: counts[1], leaps: counts[2], changes: counts[3], types: counts[4],
        names: counts[5])
    }

    /// The text between the two line feeds at the end of the file; `nil` if there is no footer.
    mutating func footer() -> String? {
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\n") else { return nil }
      return String(decoding: bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }
#endif
