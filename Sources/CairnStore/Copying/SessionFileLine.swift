import CairnCore
import CairnJournal

/// A line of a session's file. Some kinds announce the lines that follow.
enum SessionFileLine {
  /// A definition by its hash. Its canonical text follows.
  case definition(String)
  /// The first state of a history whose earlier entries were forgotten. The state follows.
  case beginning(revision: Int, time: Int, definition: String, format: Int)
  /// An entry. Its cause and its difference follow.
  case entry(revision: Int, stamp: Stamp, engine: Int, format: Int, definition: String?, request: String?)
  /// A secret, encrypted with the key that the caller gave for the export.
  case secret(SecretSlot, box: [UInt8])
  /// The newest state, which follows.
  case state(revision: Int, format: Int)

  /// The first line. `first` and `last` are the first and the newest revision of the file; `createdAt` is in milliseconds since 1970.
  struct Head {
    var file = "", session = "", app = ""
    var label: String?
    var format = SessionFile.version, createdAt = 0, first = 0, last = 0
  }

  /// The last line. Its digest is the SHA-256 of all bytes before it, in hexadecimal digits.
  struct End {
    var revision = 0, digest = ""
  }
}

extension SessionFileLine: Coded {
  static var blank: SessionFileLine { .definition("") }

  static func members<C: Coder & ~Copyable>(_ it: inout SessionFileLine, _ coder: inout C) throws(C.Failure) {
    try coder.choose(
      &it, ["definition", "beginning", "entry", "secret", "state"],
      [
        .definition(""), .beginning(revision: 0, time: 0, definition: "", format: 0),
        .entry(revision: 0, stamp: Stamp(time: 0, nonce: ""), engine: 0, format: 0, definition: nil, request: nil),
        .secret(.token, box: []),
        .state(revision: 0, format: 0),
      ])
    switch it {
    case .definition(let hash): it = try .definition(coder.coded("definition", hash))
    case .beginning(var revision, var time, var definition, var format):
      try coder.member("beginning", &revision)
      try coder.number("at", &time, in: 0...State.latestTime)
      try coder.member("definition", &definition)
      try coder.member("format", &format)
      it = .beginning(revision: revision, time: time, definition: definition, format: format)
    case .entry(var revision, var stamp, var engine, var format, var definition, var request):
      try coder.member("entry", &revision)
      try coder.number("at", &stamp.time, in: 0...State.latestTime)
      try coder.member("nonce", &stamp.nonce)
      try coder.member("engine", &engine)
      try coder.member("format", &format)
      try coder.member("definition", &definition)
      try coder.member("request", &request)
      it = .entry(revision: revision, stamp: stamp, engine: engine, format: format, definition: definition, request: request)
    case .secret(let slot, let box):
      var (number, text) = (slot.number, Hexadecimal.text(of: box))
      try coder.number("secret", &number, in: -State.highestNumber...State.highestNumber)
      try coder.member("box", &text)
      it = .secret(SecretSlot(number: number), box: bytes(text))
    case .state(let revision, let format): it = try .state(revision: coder.coded("state", revision), format: coder.coded("format", format))
    }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

extension SessionFileLine.Head: Coded {
  static var blank: SessionFileLine.Head { SessionFileLine.Head() }

  static func members<C: Coder & ~Copyable>(_ it: inout SessionFileLine.Head, _ coder: inout C) throws(C.Failure) {
    var kind = "session"
    try coder.member("cairn", &kind)
    try coder.member("format", &it.format)
    try coder.member("file", &it.file)
    try coder.member("session", &it.session)
    try coder.member("app", &it.app)
    try coder.number("createdAt", &it.createdAt, in: 0...State.latestTime)
    try coder.member("label", &it.label)
    try coder.member("first", &it.first)
    try coder.member("last", &it.last)
  }
}

extension SessionFileLine.End: Coded {
  static var blank: SessionFileLine.End { SessionFileLine.End() }

  static func members<C: Coder & ~Copyable>(_ it: inout SessionFileLine.End, _ coder: inout C) throws(C.Failure) {
    try coder.member("end", &it.revision)
    try coder.member("sha256", &it.digest)
  }
}
