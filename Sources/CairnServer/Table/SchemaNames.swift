import CairnAPI
import CairnCore

/// Assigns the names of an app's schemas. Generators derive the names of types and files from them, and change case and punctuation.
/// Therefore the names contain only letters and digits, and differ in more than case.
struct SchemaNames {
  /// The assigned names in lower case, each with the number that was last appended to it; 1 if no number was appended.
  private var taken: [String: Int] = [:]

  /// Reserves the names of the general schemas.
  init() {
    let general =
      Component.allCases.map(\.rawValue) + ActionRow.schemas.map(\.name) + ChangeSchema.kinds.map(\.name)
    for name in general { taken[name.lowercased()] = 1 }
  }

  /// Assigns a free name: the given name, or the given name with a number appended.
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

  /// Converts `search.webView` to `SearchWebView`. Names in a definition consist of letters, digits, `_`, `-` and dots.
  static func pascal(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
