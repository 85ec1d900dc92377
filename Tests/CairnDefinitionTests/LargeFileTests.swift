import CairnCore
import CairnDefinition
import CairnTesting
import Testing

/// Files of the maximum size, in shapes that were slow or crashed the process. With a quadratic algorithm each test would take minutes.
@Suite struct `Large definitions` {
  private func check(_ text: String) -> [Diagnostic] {
    do throws(InvalidDefinition) {
      return try DefinitionLoader.check(file: "large.yaml", text: text).warnings
    } catch {
      return error.diagnostics
    }
  }

  @Test func `a thousand flows that present each other are checked`() {
    #expect(check(LargeFiles.presenting(1_000)).count == 999)
    #expect(check(LargeFiles.presenting(1_000, closing: "dismiss")) == [])
  }

  @Test func `each of three thousand unknown names is reported with the nearest known name`() {
    let told = check(LargeFiles.unknown(3_000))
    #expect(told.count == 3_000)
    #expect(told.allSatisfy { $0.message.contains("did you mean") })
    #expect(check(LargeFiles.unknown(3_000, prefix: "quite-another-")).count == 3_000)
    #expect(check(LargeFiles.unknownParams(3_000)).count == 3_000)
  }

  @Test func `a chain of twelve thousand flows is accepted, and a cycle of them is reported`() {
    #expect(check(LargeFiles.initialArrivals(12_000)) == [])
    let circle = check(LargeFiles.initialArrivals(12_000, isCircle: true))
    #expect(circle.count == 1)
    #expect(circle.first?.message.hasPrefix("the creation of `f0` never ends, because it creates itself (f0 → f1 → ") == true)
    #expect(circle.first?.message.contains(" → … → f0)") == true)
  }

  @Test func `ten thousand links are checked`() {
    #expect(check(LargeFiles.links(10_000)) == [])
  }

  @Test func `the nearest name is the one with the fewest edits`() {
    var chance = UInt64(42)
    func next(_ bound: Int) -> Int {
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(chance >> 33) % bound
    }
    let names = (0..<300).map { _ in String((0..<(2 + next(9))).map { _ in Character(["a", "b", "c", "D", "é"][next(5)]) }) }
    let known = KnownNames(names)
    for _ in 0..<500 {
      let name = String((0..<(1 + next(12))).map { _ in Character(["a", "b", "c", "d"][next(4)]) })
      #expect(known.nearest(to: name) == slowlyNearest(to: name, among: names), "\(name)")
    }
  }

  /// The reference implementation, which computes the complete edit distance for every candidate in order.
  private func slowlyNearest(to name: String, among candidates: [String]) -> String? {
    var best: (name: String, edits: Int)?
    for candidate in Set(candidates).sorted() where candidate != name {
      let (a, b) = (Array(name.lowercased()), Array(candidate.lowercased()))
      var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
      for i in 0...a.count {
        for j in 0...b.count {
          if i == 0 || j == 0 {
            table[i][j] = i + j
            continue
          }
          table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
          if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { table[i][j] = min(table[i][j], table[i - 2][j - 2] + 1) }
        }
      }
      let edits = table[a.count][b.count]
      if edits <= max(1, min(3, name.count / 3)), edits < best?.edits ?? .max { best = (candidate, edits) }
    }
    return best?.name
  }
}
