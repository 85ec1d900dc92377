extension NodeDetails {
  /// The members `params`, `facts` and `content` of a node in responses, encoded once.
  final class JSON: Sendable {
    /// The members, each preceded by a comma; empty if the node has none of them.
    private let text: [UInt8]
    /// The length of the params part.
    private let paramsLength: Int

    init(_ details: NodeDetails) {
      var text: [UInt8] = []
      // A state never contains a non-finite number. If it did, `null` would be written instead.
      if !details.params.isEmpty { text += Self.member { $0.member("params", details.params) } ?? Array(",\"params\":null".utf8) }
      paramsLength = text.count
      if !details.facts.isEmpty { text += Self.member { $0.member("facts", details.facts) } ?? Array(",\"facts\":null".utf8) }
      if let content = details.content {
        text += Self.member { $0.member("content", content) } ?? Array(",\"content\":null".utf8)
      }
      self.text = text
    }

    private static func member(_ write: (inout JSONWriter) -> Void) -> [UInt8]? {
      try? JSONWriter.bytes(expected: 64) { writer in
        writer.buffer.append(",")
        write(&writer)
      }
    }

    /// Writes the params, the facts and the content, if there are any.
    @inline(__always)
    func writeMembers(to writer: inout JSONWriter) { text.withUnsafeBufferPointer { writer.buffer.append($0) } }

    /// Writes the params, if there are any.
    @inline(__always)
    func writeParams(to writer: inout JSONWriter) {
      text.withUnsafeBufferPointer { writer.buffer.append(UnsafeBufferPointer(start: $0.baseAddress, count: paramsLength)) }
    }
  }
}

extension NodeTable {
  /// Calls `body` with a node's params, facts and content as JSON, unless the node has no details. The table keeps the details alive, so they are not
  /// retained.
  @inline(__always)
  func withJSON(of record: NodeRecord, _ body: (NodeDetails.JSON) -> Void) {
    details.unretained(record.details)?._withUnsafeGuaranteedRef { $0.withJSON(body) }
  }
}
