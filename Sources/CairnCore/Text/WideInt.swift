#if _pointerBitWidth(_64)
  /// A 64-bit integer on every platform: `Int`, unless `Int` has 32 bits, as in WebAssembly.
  ///
  /// It is used for times and durations in milliseconds, JSON integers and the numbers of ids. Counts and indices are `Int`.
  public typealias WideInt = Int
#else
  /// A 64-bit integer on every platform: `Int64`, because `Int` has 32 bits on this one.
  ///
  /// It is used for times and durations in milliseconds, JSON integers and the numbers of ids. Counts and indices are `Int`.
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
