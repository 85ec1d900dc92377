#if canImport(CCurl)
  import CCurl
  import CairnRuntime

  /// One libcurl request and its response.
  ///
  /// Unchecked: any thread may create the exchange and pass it to the loop's thread. From then on, only that thread accesses it.
  final class CurlExchange: @unchecked Sendable {
    private let request: TransferRequest
    private let limits: TransferLimits
    private let receive: @Sendable (TransferPart) -> Bool
    /// libcurl's handle while the exchange runs; otherwise `nil`.
    private(set) var easy: UnsafeMutableRawPointer?
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var head: HeadReader
    private var count = 0
    /// The fault with which a callback ended the transfer; `nil` if no callback ended it.
    private var fault: TransferFault?
    private var hasEnded = false
    /// The time (`Monotonic`) of the last received part. It is updated only if the exchange has an idle timeout.
    private var lastPart: UInt64 = 0

    init(_ request: TransferRequest, _ limits: TransferLimits, _ receive: @escaping @Sendable (TransferPart) -> Bool) {
      self.request = request
      self.limits = limits
      self.receive = receive
      head = HeadReader(limit: limits.head)
    }

    /// The time (`Monotonic`) at which the exchange times out unless it receives a part before; `nil` if the exchange has no idle timeout.
    var idleDeadline: UInt64? { limits.idle.map { lastPart + $0.nanoseconds } }

    /// Creates libcurl's handle. Throws if the request is invalid or libcurl cannot create the handle; the caller then passes the fault to
    /// `end`.
    func prepare() throws(TransferFault) -> UnsafeMutableRawPointer {
      if let fault = request.fault { throw fault }
      guard let easy = curl_easy_init() else { throw .failed(Int(CURLE_OUT_OF_MEMORY.rawValue)) }
      self.easy = easy
      lastPart = Monotonic.now()
      for line in headerLines { headers = curl_slist_append(headers, line) }
      let code = request.url.withCString { url in
        request.method.withCString { method in
          (request.body ?? implicitBody).withOptionalBytes { body, size in
            var value = cairn_curl_request(
              url: url, method: method, headers: headers, body: body, body_size: size,
              connect_timeout: limits.connect.milliseconds, timeout: limits.whole?.milliseconds ?? 0,
              announced: limits.body == .max ? 0 : curl_off_t(limits.body), context: Unmanaged.passUnretained(self).toOpaque(),
              head: { bytes, size, count, context in CurlExchange.take(bytes, size * count, context) { $0.takeHead($1) } },
              body_part: { bytes, size, count, context in CurlExchange.take(bytes, size * count, context) { $0.takeBody($1) } })
            return cairn_curl_prepare(easy, &value)
          }
        }
      }
      guard code == CURLE_OK else { throw code == CURLE_URL_MALFORMAT ? .address : .failed(Int(code.rawValue)) }
      return easy
    }

    /// Delivers the end to the receiver and frees the handle. The loop must already have removed the handle. Later calls do nothing.
    func end(_ fault: TransferFault?) {
      guard !hasEnded else { return }
      hasEnded = true
      if let easy { curl_easy_cleanup(easy) }
      curl_slist_free_all(headers)
      (easy, headers) = (nil, nil)
      _ = receive(.end(fault))
    }

    /// Returns the fault for libcurl's result; `nil` if the response is complete.
    func fault(of code: CURLcode) -> TransferFault? {
      if let fault { return fault }
      switch code {
      case CURLE_OK: return nil
      case CURLE_OPERATION_TIMEDOUT:
        return easy.map { cairn_curl_was_connected($0) == 0 } ?? false && limits.connect < limits.whole ?? .seconds(86_400)
          ? .connectTimeout : .timeout
      case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost
      case CURLE_COULDNT_CONNECT: return .noConnection
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
        return .notSecure
      case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: return .broken(hasHead: head.isComplete)
      // libcurl is configured to reject HTTP/0.9, which would accept arbitrary bytes.
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: return .notHTTP
      case CURLE_BAD_CONTENT_ENCODING: return .encoding
      case CURLE_URL_MALFORMAT: return .address
      case CURLE_FILESIZE_EXCEEDED: return .bodyTooLarge(limits.body)
      // libcurl limits the length of a line in a head.
      case CURLE_OUT_OF_MEMORY where !head.isComplete: return .headTooLarge(limits.head)
      default: return .failed(Int(code.rawValue))
      }
    }

    private static func take(
      _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
      _ use: (CurlExchange, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
      guard let bytes, let context, count > 0 else { return count }
      let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
      if exchange.limits.idle != nil { exchange.lastPart = Monotonic.now() }
      return use(exchange, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
      do throws(TransferFault) {
        guard let head = try head.read(line) else { return true }
        return deliver(.head(head))
      } catch {
        fault = error
        return false
      }
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
      count += bytes.count
      guard count <= limits.body else {
        fault = .bodyTooLarge(limits.body)
        return false
      }
      return deliver(.bytes(Array(bytes)))
    }

    private func deliver(_ part: TransferPart) -> Bool {
      guard receive(part) else {
        fault = .cancelled
        return false
      }
      return true
    }

    /// The body to send if the request has none. It is empty for POST, PUT and PATCH, so that they declare the length 0 (RFC 9110, 8.6),
    /// and `nil` for other methods.
    private var implicitBody: [UInt8]? { ["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil }

    private var headerLines: [String] {
      // An empty value removes a header that libcurl adds by default: `Expect` to large bodies, and `Content-Type` to all bodies.
      var lines = ["Expect:"]
      if !request.headers.keys.contains(where: { $0.lowercased() == "content-type" }) { lines.append("Content-Type:") }
      // libcurl needs a semicolon for a header with an empty value. With a colon it would remove the header.
      for (name, value) in request.headers { lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)") }
      return lines
    }
  }

  extension [UInt8]? {
    fileprivate func withOptionalBytes<Result>(_ body: (UnsafeRawPointer?, Int) -> Result) -> Result {
      guard let bytes = self else { return body(nil, 0) }
      // The pointer of an empty array may be `nil`, which would mean that the request has no body.
      guard !bytes.isEmpty else { return "".withCString { body($0, 0) } }
      return bytes.withUnsafeBytes { body($0.baseAddress, $0.count) }
    }
  }

  extension Duration {
    fileprivate var milliseconds: Int { Int(min(UInt64(Int32.max), max(1, nanoseconds / 1_000_000))) }
  }
#endif
