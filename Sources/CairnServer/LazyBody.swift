import CairnCore

/// A body that is built when it is written, on the connection's thread instead of the thread that had the result.
struct LazyBody<Body: JSONWritable>: JSONWritable, Sendable {
  let make: @Sendable () -> Body

  init(_ make: @escaping @Sendable () -> Body) { self.make = make }

  func write(to writer: inout JSONWriter) { make().write(to: &writer) }
}
