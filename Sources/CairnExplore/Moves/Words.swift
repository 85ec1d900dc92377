import CairnCore

// How scenario files spell things, in one line of YAML.
extension Value {
  /// In YAML's flow style.
  var words: String {
    switch self {
    case .null: "null"
    case .bool, .integer, .number: shortText
    case .string(let text): text.words
    case .array(let elements): "[\(elements.map(\.words).joined(separator: ", "))]"
    case .object(let members): members.words
    }
  }
}

extension [String: Value] {
  /// In YAML's flow style, by name.
  var words: String {
    isEmpty ? "{}" : "{ " + sorted { $0.key < $1.key }.map { "\($0.key.words): \($0.value.words)" }.joined(separator: ", ") + " }"
  }
}

extension String {
  /// As it is where that is plain, else in quotes as JSON has them.
  var words: String {
    let isPlain =
      utf8.first.map { isLetter($0) } ?? false
      && utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 95 || $0 == 46 || $0 == 45 }
    return isPlain && !["true", "false", "null"].contains(lowercased()) ? self : quoted
  }

  private func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

  /// In quotes, as JSON and YAML both read it.
  var quoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      default:
        if scalar.value < 32 {
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }
}

extension Action {
  /// An action as the API takes it; nil: it is not one that moves here are made of.
  var words: String? {
    switch self {
    case .step(let step, let from):
      let origin = from.map { ", from: \($0)" } ?? ""
      return step.params.isEmpty
        ? "{ step: \(step.step)\(origin) }" : "{ step: \(step.step), params: \(step.params.words)\(origin) }"
    case .pop: return "{ type: pop }"
    case .popTo(.screen(let screen)): return "{ type: popTo, screen: \(screen) }"
    case .popToRoot: return "{ type: popToRoot }"
    case .dismiss: return "{ type: dismiss }"
    case .select(.tab(let tab), _): return "{ type: select, tab: \(tab) }"
    case .push(let route): return "{ type: push, screen: \(route.screen), params: \(route.params.words) }"
    case .present(let route, _, _, _): return "{ type: present, screen: \(route.screen), params: \(route.params.words) }"
    case .back: return "{ type: back }"
    case .logout: return "{ type: logout }"
    case .appState(let activity): return "{ appState: \(activity.rawValue) }"
    case .facts(let facts): return "{ facts: \(facts.words) }"
    case .cancel(let link): return "{ cancel: \(link) }"
    default: return nil
    }
  }
}

extension Move {
  /// In one line.
  var inLine: String { words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]" }
}

/// How scenario files say durations: in the largest unit that fits.
func durationWords(_ milliseconds: Int) -> String {
  for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)] where milliseconds % size == 0 && milliseconds > 0
  {
    return "\(milliseconds / size)\(unit)"
  }
  return "\(milliseconds)ms"
}
