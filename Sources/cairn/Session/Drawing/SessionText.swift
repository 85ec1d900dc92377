import CairnClient
import CairnCore
import Foundation

/// Formats the parts of a session other than its tree.
struct SessionText {
  var isUnicode: Bool
  /// The time from which the remaining times are counted.
  var now: Date

  /// Returns the route as a text such as `home › product(productId: 7)`.
  func route(_ stack: [RouteEntry]) -> String {
    stack.isEmpty ? "nothing is visible" : stack.map(Self.text).joined(separator: isUnicode ? " › " : " > ")
  }

  private static func text(_ entry: RouteEntry) -> String {
    let params = (entry.params ?? [:]).sortedByKey.map { "\($0.key): \($0.value.shortText)" }
    return (entry.presented == true ? "^" : "") + entry.screen + (params.isEmpty ? "" : "(\(params.joined(separator: ", ")))")
  }

  /// Returns the accepted actions as a text such as `movieIsPicked(withId: integer), logout; back, pop`.
  static func text(_ accepts: Acceptance) -> String {
    let steps = accepts.steps.map { step in
      let params = step.params.sortedByKey.map { "\($0.key): \($0.value)" }
      return step.step + (params.isEmpty ? "" : "(\(params.joined(separator: ", ")))")
    }
    let groups = [steps, accepts.primitives].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
    return groups.isEmpty ? "nothing" : groups.joined(separator: "; ")
  }

  /// Returns one line that describes an item for which the session waits.
  func text(_ item: PendingItem) -> String {
    let what =
      switch item.kind {
      case "question":
        "question \(item.question.map { "\($0)" } ?? "") of \(item.name ?? "") before \(item.action ?? "an action")"
      case "link": "link \(item.link.map { "\($0)" } ?? "") \(item.url ?? "")"
      case "action":
        "action \(item.held.map { "\($0)" } ?? "") \(item.step ?? item.action ?? "") held for \(item.clients ?? 0) clients"
      // The timer that closes an overlay sends no step.
      case "timer" where item.name == nil && item.step == nil: "end of the overlay \(item.node.map { "\($0)" } ?? "")"
      case "timer": "timer \([item.name, item.step].compactMap(\.self).joined(separator: ": "))"
      case "message": "message \(item.key ?? "")"
      case "load": "load\(item.method.map { " (\($0.uppercased()))" } ?? "") of \(item.node.map { "\($0)" } ?? "a node")"
      case "overlay": "overlay \(item.name ?? "") for slot \(item.slot ?? "")"
      case "modal": "modal \(item.name ?? "") for level \(item.level ?? 0)"
      default: item.kind
      }
    let times = [("in", item.due), ("expires in", item.until)].compactMap { word, time in time.map { "\(word) \(countdown($0))" } }
    return ([what] + times + (item.waits == true ? ["waits for \(item.kind == "message" ? "an earlier message" : "its page")"] : []))
      .joined(separator: ", ")
  }

  /// Returns the remaining time, such as `0:05`, `14:59` or `26:03:00`; `0:00` once the time has passed.
  func countdown(_ time: Date) -> String {
    let seconds = Int(min(max(0, time.timeIntervalSince(now)), 1e9).rounded(.up))
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }
}
