extension NodeDetails {
  /// What every answer that shows the node has in it, written once: the members `params` and `content` with their names.
  final class JSON: Sendable {
    let params: [UInt8]
    let content: [UInt8]

    init(_ details: NodeDetails) {
      var params = JSONWriter(capacity: 64)
      params.member("params", details.params)
      var content = JSONWriter(capacity: details.content == nil ? 0 : 256)
      content.member("content", ifPresent: details.content)
      // A number that is none never gets into a state; if one did, the node would be shown without it.
      self.params = (try? params.bytes()) ?? Array("\"params\":null".utf8)
      self.content = (try? content.bytes()) ?? Array("\"content\":null".utf8)
    }
  }
}
