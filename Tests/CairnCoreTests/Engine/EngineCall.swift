import CairnCore

/// A call of a function of the engine, with the expected results.
struct EngineCall {
  let name: String
  var number: WideInt = 0
  var time: WideInt = 0
  var input: [UInt8] = []
  /// The expected output; empty for a function that has none.
  var output: [UInt8] = []
  /// The expected output of `view` after the call; empty if there is no session yet.
  var view: [UInt8] = []

  init(_ name: String, number: WideInt = 0, time: WideInt = 0, input: [UInt8] = [], output: [UInt8] = []) {
    (self.name, self.number, self.time, self.input, self.output) = (name, number, time, input, output)
  }

  /// The call as one line for Tests/engine/replay.mjs. JSON contains neither tabs nor line feeds.
  var line: String {
    ([name, "\(number)", "\(time)"] + [input, output, view].map { String(decoding: $0, as: UTF8.self) }).joined(separator: "\t")
  }
}
