import CairnAPI
import CairnCore

/// Assigns names to an app's schemas. Code generators derive types and file names from them, with their own capitalization and without punctuation.
/// Therefore names consist of letters and digits, and no two differ only in case.
struct SchemaNames {
  /// The names in lower case, each with the number of names derived from it.
  private var taken: [String: Int] = [:]

  /// Reserves the names of the general schemas.
  init() {
    let general =
      Component.allCases.map(\.rawValue) + ActionRow.schemas.map(\.name) + ChangeSchema.kinds.map(\.name)
    for name in general { taken[name.lowercased()] = 1 }
  }

  /// A new name: the given one, or one with a number appended.
  mutating func take(_ name: String) -> String {
    let key = name.lowercased()
    guard var count = taken[key] else {
      taken[key] = 1
      return name
    }
    var free: String
    repeat {
      count += 1
      free = "\(name)\(count)"
    } while taken[free.lowercased()] != nil
    taken[key] = count
    taken[free.lowercased()] = 1
    return free
  }

  /// Converts `search.webView` to `SearchWebView`. Names in definitions consist of letters, digits, `_`, `-` and dots.
  static func pascal(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
