extension NodeDetails {
  /// The members `params` and `content` in every response that shows the node, written once, each with the comma before it.
  final class JSON: Sendable {
    /// `,"params":{…},"content":{…}`, or one of them, or none.
    private let text: [UInt8]
    /// How much of it the params are.
    private let paramsLength: Int

    init(_ details: NodeDetails) {
      var text: [UInt8] = []
      // A non-finite number never gets into a state; if one did, the node would be shown without it.
      if !details.params.isEmpty { text += Self.member { $0.member("params", details.params) } ?? Array(",\"params\":null".utf8) }
      paramsLength = text.count
      if let content = details.content {
        text += Self.member { $0.member("content", content) } ?? Array(",\"content\":null".utf8)
      }
      self.text = text
    }

    private static func member(_ write: (inout JSONWriter) -> Void) -> [UInt8]? {
      try? JSONWriter.bytes(expected: 64) { writer in
        writer.piece(",")
        write(&writer)
      }
    }

    /// Writes the params and the content, as far as there are any.
    @inline(__always)
    func writeMembers(to writer: inout JSONWriter) { text.withUnsafeBufferPointer { writer.piece($0) } }

    /// Writes the params, unless there are none.
    @inline(__always)
    func writeParams(to writer: inout JSONWriter) {
      text.withUnsafeBufferPointer { writer.piece(UnsafeBufferPointer(start: $0.baseAddress, count: paramsLength)) }
    }
  }
}

extension NodeTable {
  /// Hands a node's params and content as JSON to `body`; nothing if it has none of both. The table keeps them, so they are not retained.
  @inline(__always)
  func withJSON(of record: NodeRecord, _ body: (NodeDetails.JSON) -> Void) {
    details.unretained(record.details)?._withUnsafeGuaranteedRef { $0.withJSON(body) }
  }
}
