import CairnAPI
import CairnCore

/// Names of an app's schemas. Generators make types and files of them, in their own case and without marks: so names consist of letters and
/// digits, and no two differ in case only.
struct SchemaNames {
  /// In lower case, each with how many names were made of it.
  private var taken: [String: Int] = [:]

  /// With the general names taken.
  init() {
    let general =
      Component.allCases.map(\.rawValue) + ActionRow.schemas.map(\.name) + ChangeSchema.kinds.map(\.name)
    for name in general { taken[name.lowercased()] = 1 }
  }

  /// A name that is not taken yet: this one, or with a number behind it.
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

  /// `search.webView` as `SearchWebView`. Names in a definition are letters, digits, `_`, `-` and dots.
  static func pascal(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
