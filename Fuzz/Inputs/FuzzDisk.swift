import CairnCore
import CairnJournal
import CairnTesting

/// Records of a database, which may be damaged. Each is either rejected, or gives a value that stays the same when it is encoded and
/// decoded again.
enum FuzzDisk {
  static func reading(_ bytes: [UInt8]) -> [String] {
    guard let first = bytes.first else { return [] }
    let body = Array(bytes.dropFirst())
    switch first % 3 {
    case 0:
      guard let state = try? StateFormat.state(body, version: StateFormat.version) else { return [] }
      return same(state)
    case 1:
      guard var state = base?.state, (try? StateFormat.apply(body, to: &state)) != nil else { return [] }
      return same(state)
    default:
      guard let stored = try? CauseFormat.read(body, version: CauseFormat.version) else { return [] }
      guard let entry = try? stored.entry(revision: 1, time: 0, nonce: "", request: nil) else { return ["a cause has no entry"] }
      let again = try? CauseFormat.read(CauseFormat.bytes(entry), version: CauseFormat.version)
      return (try? again?.entry(revision: 1, time: 0, nonce: "", request: nil)) == entry ? [] : ["a cause is written as another"]
    }
  }

  private static let base = try? Drive(app: "shop")

  private static func same(_ state: State) -> [String] {
    (try? StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version)) == state ? [] : ["a state is written as another"]
  }
}
