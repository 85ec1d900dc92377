import CairnCore
import CairnHTTP
import CairnStore

/// The parts that the pages of lists and of histories share.
enum ListPage {
  /// The size at which a page of a list or a history ends, in bytes.
  static let size = 1 << 20

  /// The encoded item of a page, with its size in bytes.
  static func written(_ item: some JSONWritable) throws(StoreFault) -> (RawJSON, Int) {
    do {
      let raw = try RawJSON(item)
      return (raw, raw.bytes.count)
    } catch {
      throw .storage("an item of the list contains a number that JSON cannot represent")
    }
  }

  /// The path with a query that contains the items whose value is not `nil`.
  static func path(_ path: String, _ items: [(name: String, value: String?)]) -> String {
    let given = items.compactMap { item in item.value.map { "\(item.name)=\(PercentCoding.encode($0))" } }
    return given.isEmpty ? path : "\(path)?\(given.joined(separator: "&"))"
  }
}
