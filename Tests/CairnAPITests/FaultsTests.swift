import CairnAPI
import CairnCore
import Testing

@Suite struct `List of faults of a body` {
  private func fault(_ number: Int) -> Refusal.Fault { .init(pointer: "/\(number)", detail: "is wrong") }

  private func faults(_ count: Int) -> Faults {
    var faults = Faults()
    for number in 0..<count { faults.append(fault(number)) }
    return faults
  }

  @Test func `faults up to the limit have messages, and the others are counted`() {
    #expect(faults(0).isEmpty && Array(faults(0)) == [])
    #expect(faults(Faults.limit).map(\.pointer) == (0..<Faults.limit).map { "/\($0)" })
    let more = faults(Faults.limit + 3)
    #expect(more.count == Faults.limit + 3)
    #expect(Array(more) == Array(faults(Faults.limit)) + [.init(pointer: "", detail: "and 3 more")])
  }

  @Test func `a fault beyond the limit is counted and its message is not built`() {
    var faults = faults(Faults.limit)
    var isMade = false
    func make() -> Refusal.Fault {
      isMade = true
      return fault(0)
    }
    faults.append(make())
    #expect(!isMade && faults.count == Faults.limit + 1)
  }

  @Test func `appended faults fill the list up to the limit, and all are counted`() {
    var all = faults(Faults.limit - 1)
    all.append(faults(3))
    #expect(all.count == Faults.limit + 2)
    #expect(all.map(\.pointer).suffix(2) == ["/0", ""])
    all.append(Faults())
    all.append(further: 5)
    #expect(all.count == Faults.limit + 7)
    #expect(Array(all).last?.detail == "and 7 more")
  }

  @Test func `unknown members are reported in order up to the limit, wherever the known ones are`() {
    let names = (0..<80).map { "zz" + String(100 + $0) }
    let body: Value = .object(Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }).merging(["type": "pop", "count": 2]) { $1 })
    guard case .invalid(let faults)? = CairnAPITests.fault({ () throws(BodyFault) in try ActionRequest(body, byOperator: false) }) else {
      Issue.record("it was read")
      return
    }
    #expect(faults.count == 80)
    let told = faults.map(\.pointer).prefix(Faults.limit)
    #expect(Array(told) == told.sorted() && Set(told).count == Faults.limit)
    #expect(faults.allSatisfy { !["/type", "/count"].contains($0.pointer) })
  }

  @Test func `members after the sixty-fourth are read like those before`() throws {
    let strangers = (0..<70).map { #""zz\#($0)":1"# }.joined(separator: ",")
    let text = "{\(strangers),\"type\":\"pop\",\"count\":\"two\"}"
    let read = CairnAPITests.fault { () throws(BodyFault) in
      try JSONBody.read(Array(text.utf8)) { body throws(BodyFault) in try ActionRequest(body, byOperator: false) }
    }
    guard case .invalid(let faults)? = read else {
      Issue.record("\(String(describing: read))")
      return
    }
    #expect(faults.first { _ in true } == .init(pointer: "/count", detail: "must be an integer of at least 1, not \"two\""))
    #expect(faults.count == 71)
  }

  @Test func `a name in a pointer is escaped, and a long value is truncated`() {
    let long = String(repeating: "x", count: 100)
    let read = CairnAPITests.fault { () throws(BodyFault) in
      try ActionRequest(["type": .string(long), "step": 1], byOperator: false)
    }
    #expect(read == .invalid([.init(pointer: "", detail: "has both `step` and `type`; remove `type`")]))
    let kind = CairnAPITests.fault { () throws(BodyFault) in try ActionRequest(["type": .string(long)], byOperator: false) }
    guard case .invalid(let faults)? = kind, let told = faults.first(where: { _ in true }) else {
      Issue.record("\(String(describing: kind))")
      return
    }
    #expect(told.detail.hasPrefix("\"\(long.prefix(64))\" is not a known word"))
  }
}

@Suite struct `Bodies beyond the bounds` {
  private func read(_ text: String) -> BodyFault? { fault { () throws(BodyFault) in try JSONBody.read(Array(text.utf8)) } }

  @Test func `values and names share one bound`() {
    let elements = { (count: Int) in "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
    #expect(read(elements(JSONBody.valueLimit - 1)) == nil)
    #expect(read(elements(JSONBody.valueLimit)) == .tooLarge("the body must have at most 65536 values and member names"))
    let members = { (count: Int) in "{" + (0..<count).map { "\"\($0)\":1" }.joined(separator: ",") + "}" }
    #expect(read(members((JSONBody.valueLimit - 1) / 2)) == nil)
    #expect(read(members(JSONBody.valueLimit / 2)) == .tooLarge("the body must have at most 65536 values and member names"))
  }

  @Test func `the fault of a body that is nested too deeply contains the maximum depth`() {
    #expect(read(String(repeating: "[", count: 65)) == .notJSON("the values of the body must be nested at most 64 levels deep"))
  }

  @Test func `an empty body is reported as empty`() {
    #expect(read("") == .notJSON("the body is empty; it must be JSON"))
  }

  @Test func `the first repeated members are reported, and the others are counted`() {
    let text = "{" + (0..<30).map { "\"a\($0)\":1,\"a\($0)\":2" }.joined(separator: ",") + "}"
    guard case .invalid(let faults)? = read(text) else {
      Issue.record("it was read")
      return
    }
    #expect(faults.count == 30)
    #expect(faults.map(\.detail).last == "and 10 more" && faults.map(\.pointer).first == "/a0")
  }

  @Test func `a number that JSON cannot represent is rejected in a parsed value`() {
    let value: Value = ["a": .number(.nan)]
    #expect(
      fault { () throws(BodyFault) in try JSONBody.read(value) { element throws(BodyFault) in element.value } }
        == .notJSON("the body contains a number that JSON cannot represent; use finite numbers"))
  }
}
