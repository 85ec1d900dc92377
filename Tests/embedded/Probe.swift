// The functions that probe.mjs calls. scripts/check-embedded compiles this file with CairnCore.

/// The input of the next call, or the output of the last one. Only one thread uses it.
nonisolated(unsafe) private var text: [UInt8] = []

/// Allocates `count` bytes for the input and returns their address.
@_cdecl("input") public func input(_ count: Int32) -> UnsafeMutablePointer<UInt8>? {
  text = [UInt8](repeating: 0, count: Int(count))
  return output()
}

/// The address of the output of the last call.
@_cdecl("output") public func output() -> UnsafeMutablePointer<UInt8>? { text.withUnsafeMutableBufferPointer { $0.baseAddress } }

/// Parses the text as JSON and writes it again. Returns the number of bytes, or -1 if the text is malformed.
@_cdecl("again") public func again() -> Int32 {
  guard let value = read() else { return -1 }
  return write { writer in value.write(to: &writer) }
}

/// Creates a session with a manual clock, picks a product, and advances the clock by the numbers in the text. Returns the number of bytes that describe the
/// session, or -1 if the text lacks a number or the session rejects an action.
@_cdecl("session") public func session() -> Int32 {
  guard case .integer(let start)? = read()?["at"], case .integer(let wait)? = read()?["by"], let product = read()?["productId"] else {
    return -1
  }
  let reducer = Reducer(definition)
  do throws(Refusal) {
    var state = try reducer.create(Creation(manualClock: true), stamp: Stamp(time: start, nonce: "probe")).state
    let step = Action.step(Step("productIsPicked", params: ["productId": product]), from: nil)
    let picked = try reducer.reduce(&state, step, stamp: Stamp(time: start, nonce: "probe"))
    _ = try reducer.advance(&state, by: wait, nonce: "probe")
    let refusal = refusal { () throws(Refusal) in
      var state = state
      _ = try reducer.reduce(&state, .dismiss(node: NodeID(wait)), stamp: Stamp(time: start, nonce: "probe"))
    }
    return write { writer in
      writer.beginObject()
      writer.member("now", orNull: state.manualTime)
      writer.member("due", orNull: state.effects.first?.due)
      writer.member("refusal", orNull: refusal)
      writer.member("changes", picked.changes)
      writer.member("stack", reducer.routes(of: state))
      writer.endObject()
    }
  } catch {
    return -1
  }
}

private var definition: Definition {
  let product = Contribution(
    .screen("product"), with: ["productId": .reference(.param("productId"))],
    after: [Timer(delay: 3_000_000_000, repeats: true, step: StepTemplate("timeIsOver"))])
  let handlers = [
    "productIsPicked": Handler(branches: [.init(operations: [.push(product)])]),
    "timeIsOver": Handler(branches: [.init(operations: [.push(Contribution(.screen("late")))])]),
  ]
  return Definition(
    app: "probe", root: Contribution(.flow("main")),
    screens: ["home": ScreenDefinition(), "late": ScreenDefinition(), "product": ScreenDefinition(params: ["productId": .init(.integer)])],
    steps: ["productIsPicked": StepDefinition(params: ["productId": .init(.integer)]), "timeIsOver": StepDefinition()],
    flows: ["main": FlowDefinition(container: .stack, initialChildren: .root(Contribution(.screen("home"))), handle: handlers)])
}

private func read() -> Value? { try? JSONDocument.read(text, depthLimit: 16) { $0.value } }

private func write(_ body: (inout JSONWriter) -> Void) -> Int32 {
  var writer = JSONWriter()
  body(&writer)
  guard let bytes = try? writer.bytes() else { return -1 }
  text = bytes
  return Int32(bytes.count)
}

/// The reason of a rejection, or `nil`.
private func refusal(_ body: () throws(Refusal) -> Void) -> String? {
  do throws(Refusal) {
    try body()
    return nil
  } catch {
    return error.detail
  }
}
