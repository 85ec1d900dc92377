/// Texts of definitions of any size, in shapes that are expensive to check.
package enum LargeFiles {
  private static func file(_ flows: String, screens: String = "s: { emits: [go] }", steps: String = "go: {}") -> String {
    "app: large\nlanguage: 1\nroot: { flow: f0 }\nscreens: { \(screens) }\nsteps:\n  \(steps)\nflows:\n\(flows)"
  }

  /// Flows in a ring, each of which presents the next three.
  package static func presenting(_ count: Int, closing: String? = nil) -> String {
    let flows = (0..<count).map { number in
      let next = (1...3).map { "{ when: { flow: f\($0) }, do: { present: { flow: f\((number + $0) % count) } } }" }
      let close = closing.map { ", close: \($0)" } ?? ""
      return "  f\(number): { stack: s\(number), handle: { go: [\(next.joined(separator: ", "))]\(close) } }\n"
    }
    return file(
      flows.joined(), screens: (0..<count).map { "s\($0): { emits: [go\(closing == nil ? "" : ", close")] }" }.joined(separator: ", "),
      steps: closing == nil ? "go: {}" : "go: {}\n  close: {}")
  }

  /// `count` screens, and as many operations, each of which pushes an unknown screen with a name similar to that of a screen.
  package static func unknown(_ count: Int, prefix: String = "wrong-") -> String {
    let pushes = (0..<count).map { "        - { push: \(prefix)screen-\($0)x }\n" }.joined()
    return file(
      "  f0:\n    stack: wrong-screen-0\n    handle:\n      go:\n\(pushes)",
      screens: (0..<count).map { "wrong-screen-\($0): {}" }.joined(separator: ", "))
  }

  /// A step with `count` params, of which none is given under its own name.
  package static func unknownParams(_ count: Int) -> String {
    let given = (0..<count).map { "other-\($0): 1" }.joined(separator: ", ")
    return file(
      "  f0: { stack: s, handle: { go: { send: many, with: { \(given) }, to: parent }, many: [] } }\n",
      steps: "go: {}\n  many: { \((0..<count).map { "param-\($0): optional integer" }.joined(separator: ", ")) }")
  }

  /// `count` links that do not hide each other.
  package static func links(_ count: Int) -> String {
    let links = (0..<count).map { "  - { scheme: x, path: \"/a\($0)/{id}\", send: go }\n" }.joined()
    return file("  f0: { stack: s, handle: { go: [] } }\n") + "links:\n" + links
  }

  /// A chain of flows, each of which begins with the next one in its stack.
  package static func initialArrivals(_ count: Int, isCircle: Bool = false) -> String {
    let chain = (0..<(count - 1)).map {
      "  f\($0): { stack: { flow: f\($0 + 1) }\($0 == 0 ? ", handle: { go: [] }" : "") }\n"
    }
    let last = isCircle ? "{ flow: f0 }" : "s"
    return file(chain.joined() + "  f\(count - 1): { stack: \(last) }\n")
  }
}
