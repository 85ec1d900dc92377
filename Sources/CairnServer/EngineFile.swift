import CairnCrypto
import CairnCore
import CairnHTTP

/// The engine as a WebAssembly module, which clients run to predict the effects of actions.
package struct EngineFile: Sendable {
  /// The last segment of the engine's path: the first 16 hexadecimal digits of the module's SHA-256, and `.wasm`. A different module has a
  /// different name.
  package let name: String
  private let module: [UInt8]
  /// The module, compressed with brotli.
  private let compressed: [UInt8]

  /// Returns `nil` if `module` does not begin with the magic number of WebAssembly. `compressed` must be the same module, compressed with
  /// brotli.
  package init?(module: [UInt8], compressed: [UInt8]) {
    guard module.starts(with: [0, 0x61, 0x73, 0x6D]) else { return nil }
    name = Hexadecimal.text(of: SHA256.hash(module)).prefix(16) + ".wasm"
    (self.module, self.compressed) = (module, compressed)
  }

  /// The path of the endpoint that serves the module.
  package var path: String { "/engine/\(name)" }

  /// Returns the response with the module. Browsers and proxies may cache it, because the name identifies the bytes. Pages of every origin
  /// may read it, because the module is public.
  func response(compressed isCompressed: Bool) -> Response {
    var headers: Headers = [
      "Content-Type": "application/wasm", "Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding",
      "Access-Control-Allow-Origin": "*",
    ]
    if isCompressed { headers.add("Content-Encoding", "br") }
    return Response(status: 200, headers: headers, body: isCompressed ? compressed : module)
  }
}
