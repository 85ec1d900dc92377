import CairnCore

/// A body that the connection's thread creates when it encodes the body. The thread that responds spends no time on it.
struct LazyBody<Body: JSONWritable>: JSONWritable, Sendable {
  let make: @Sendable () -> Body

  init(_ make: @escaping @Sendable () -> Body) { self.make = make }

  func write(to writer: inout JSONWriter) { make().write(to: &writer) }
}
