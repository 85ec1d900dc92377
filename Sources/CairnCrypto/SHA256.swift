import CCrypto
import Synchronization

/// A SHA-256 in progress (FIPS 180-4). Copies are independent.
package struct SHA256: Sendable {
  /// The number of bytes that the hash processes at a time.
  package static let blockSize = 64

  /// A context of libcrypto. Unchecked, because a `SHA256` changes it only while it holds the only reference.
  private final class Context: @unchecked Sendable {
    let pointer = EVP_MD_CTX_new()

    init() { Algorithms.expect(EVP_DigestInit_ex2(pointer, Algorithms.sha256, nil)) }

    init(copying other: Context) { Algorithms.expect(EVP_MD_CTX_copy_ex(pointer, other.pointer)) }

    deinit { EVP_MD_CTX_free(pointer) }
  }

  private var context = Context()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
    Algorithms.expect(EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count))
  }

  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Ends the computation and returns the hash of all bytes that were added.
  package consuming func digest() -> Digest {
    if !isKnownUniquelyReferenced(&context) { context = Context(copying: context) }
    return Digest { Algorithms.expect(EVP_DigestFinal_ex(context.pointer, $0, nil)) }
  }

  /// The context of an earlier hash. The next hash reuses the context, which saves an allocation per request, because each request hashes
  /// its secret. `nil` while a thread uses the context; another thread then allocates its own context.
  nonisolated(unsafe) private static let spare = Atomic<OpaquePointer?>(nil)

  package static func hash(_ bytes: UnsafeRawBufferPointer) -> Digest {
    let context = spare.exchange(nil, ordering: .acquiring) ?? EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(spare.exchange(context, ordering: .acquiringAndReleasing)) }
    Algorithms.expect(EVP_DigestInit_ex2(context, Algorithms.sha256, nil))
    Algorithms.expect(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    return Digest { Algorithms.expect(EVP_DigestFinal_ex(context, $0, nil)) }
  }

  package static func hash(_ bytes: some Collection<UInt8>) -> Digest {
    bytes.withContiguousStorageIfAvailable { hash(UnsafeRawBufferPointer($0)) } ?? Array(bytes).withUnsafeBytes { hash($0) }
  }

  /// Returns the hash of the text's UTF-8.
  package static func hash(_ text: String) -> Digest {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }
}

extension SHA256 {
  /// The 32 bytes of a hash.
  package struct Digest: Hashable, Sendable, Sequence {
    private var bytes = SIMD32<UInt8>()

    fileprivate init(_ fill: (UnsafeMutablePointer<UInt8>?) -> Void) {
      withUnsafeMutableBytes(of: &bytes) { fill($0.assumingMemoryBound(to: UInt8.self).baseAddress) }
    }

    package func makeIterator() -> IndexingIterator<[UInt8]> { withUnsafeBytes { Array($0) }.makeIterator() }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { Swift.withUnsafeBytes(of: bytes, body) }

    /// Compares in constant time, so that the time does not reveal where the hashes differ.
    package func isEqual(to hash: [UInt8]) -> Bool {
      withUnsafeBytes { own in
        hash.withUnsafeBytes { own.count == $0.count && CRYPTO_memcmp(own.baseAddress, $0.baseAddress, own.count) == 0 }
      }
    }
  }
}
