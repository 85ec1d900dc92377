#if _pointerBitWidth(_64)
  /// An integer of 64 bits on every platform: `Int`, except where that has 32 bits, as in WebAssembly.
  ///
  /// Times and durations in milliseconds, integers of JSON, and the numbers of ids are such. Counts and places are `Int`.
  public typealias WideInt = Int
#else
  /// An integer of 64 bits on every platform: `Int`, except where that has 32 bits, as here.
  ///
  /// Times and durations in milliseconds, integers of JSON, and the numbers of ids are such. Counts and places are `Int`.
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
