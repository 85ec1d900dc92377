#if canImport(CCurl)
  /// Reads the heads of one response (interim and final) line by line, and limits their size.
  struct HeadReader {
    private let limit: Int
    private var count = 0
    private var head = TransferHead(status: 0)
    /// Whether the final head is complete. Lines that follow are trailers, which are counted and ignored.
    private(set) var isComplete = false

    /// The content codings that are accepted. Other codings need more memory (zstd up to 128 MiB), and nested codings multiply the size.
    private static let encodings: Set<String> = ["", "identity", "gzip", "x-gzip", "deflate"]

    init(limit: Int) { self.limit = limit }

    /// Reads one line, including its line break. Returns the head if the line completes it, otherwise `nil`. Interim responses are skipped
    /// (RFC 9110, 15.2). Throws if the heads exceed the limit, or if the response has an encoding that is not accepted.
    mutating func read(_ line: UnsafeRawBufferPointer) throws(TransferFault) -> TransferHead? {
      count += line.count
      guard count <= limit else { throw .headTooLarge(limit) }
      guard !isComplete else { return nil }
      let text = String(decoding: line, as: UTF8.self).trimmingLineEnd
      guard !text.isEmpty else { return try finish() }
      if head.status == 0 {
        head.status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
      } else if let colon = text.firstIndex(of: ":") {
        let name = text[..<colon].lowercased()
        let value = String(text[text.index(after: colon)...]).trimmingBlanks
        head.headers[name] = head.headers[name].map { "\($0), \(value)" } ?? value
      }
      return nil
    }

    private mutating func finish() throws(TransferFault) -> TransferHead? {
      guard !(100..<200).contains(head.status) || head.status == 101 else {
        head = TransferHead(status: 0)
        return nil
      }
      let coding = head.headers["content-encoding"]?.lowercased() ?? ""
      let transfer = head.headers["transfer-encoding"]?.lowercased() ?? ""
      guard Self.encodings.contains(coding), ["", "identity", "chunked"].contains(transfer) else { throw .encoding }
      isComplete = true
      return head
    }
  }

  extension String {
    fileprivate var trimmingLineEnd: Substring { self[..<(lastIndex { !$0.isNewline }.map(index(after:)) ?? startIndex)] }

    fileprivate var trimmingBlanks: String {
      let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      let start = drop(while: isBlank)
      return String(start[..<(start.lastIndex { !isBlank($0) }.map(start.index(after:)) ?? start.startIndex)])
    }
  }
#endif
