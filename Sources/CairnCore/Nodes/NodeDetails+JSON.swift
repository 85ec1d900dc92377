extension NodeDetails {
  /// The members `params` and `content` of a node in responses, encoded once, each preceded by a comma.
  final class JSON: Sendable {
    /// `,"params":{…},"content":{…}`, or one of them, or nothing.
    private let text: [UInt8]
    /// The length of the params' part in bytes.
    private let paramsLength: Int

    init(_ details: NodeDetails) {
      var text: [UInt8] = []
      // States contain no non-finite numbers. If one did, the node would be written without this member.
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

    /// Writes the params and the content, as far as they exist.
    @inline(__always)
    func writeMembers(to writer: inout JSONWriter) { text.withUnsafeBufferPointer { writer.piece($0) } }

    /// Writes the params, if there are any.
    @inline(__always)
    func writeParams(to writer: inout JSONWriter) {
      text.withUnsafeBufferPointer { writer.piece(UnsafeBufferPointer(start: $0.baseAddress, count: paramsLength)) }
    }
  }
}

extension NodeTable {
  /// Passes the JSON of a node's params and content to `body`, unless it has neither. They are not retained, because the table keeps them.
  @inline(__always)
  func withJSON(of record: NodeRecord, _ body: (NodeDetails.JSON) -> Void) {
    details.unretained(record.details)?._withUnsafeGuaranteedRef { $0.withJSON(body) }
  }
}
