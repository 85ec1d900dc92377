import CairnCore
import CairnHTTP
import CairnStore

/// The size limit and functions for the pages of lists and of histories.
enum ListPage {
  /// The size after which a page of a list or a history ends, in bytes.
  static let size = 1 << 20

  /// Encodes an item of a page. Returns its JSON and its size in bytes.
  static func written(_ item: some JSONWritable) throws(StoreFault) -> (RawJSON, Int) {
    do {
      let raw = try RawJSON(item)
      return (raw, raw.bytes.count)
    } catch {
      throw .storage("an item of the list contains a number that JSON cannot represent")
    }
  }

  /// Returns the path with a query of the given items. An item whose value is `nil` is omitted.
  static func path(_ path: String, _ items: [(name: String, value: String?)]) -> String {
    let given = items.compactMap { item in item.value.map { "\(item.name)=\(PercentCoding.encode($0))" } }
    return given.isEmpty ? path : "\(path)?\(given.joined(separator: "&"))"
  }
}
