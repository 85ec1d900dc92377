#if _pointerBitWidth(_64)
  /// A 64-bit integer on every platform: `Int`, or `Int64` where `Int` has 32 bits, as in WebAssembly.
  ///
  /// Used for times and durations in milliseconds, for integers of JSON, and for the numbers of ids. Counts and indices are `Int`.
  public typealias WideInt = Int
#else
  /// A 64-bit integer on every platform: `Int`, or `Int64` where `Int` has 32 bits, as here.
  ///
  /// Used for times and durations in milliseconds, for integers of JSON, and for the numbers of ids. Counts and indices are `Int`.
  public typealias WideInt = Int64

  extension Identifier {
    public init(_ number: Int) { self.init(WideInt(number)) }
  }

  extension JSONWriter {
    public mutating func integer(_ value: Int) { integer(WideInt(value)) }
  }

  extension Int: JSONWritable {
    public func write(to writer: inout JSONWriter) { writer.integer(WideInt(self)) }
  }
#endif
