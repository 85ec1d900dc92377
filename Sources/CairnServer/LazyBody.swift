import CairnCore

/// A body that is made when it is written: on the connection's thread, not on the one that had the answer.
struct LazyBody<Body: JSONWritable>: JSONWritable, Sendable {
  let make: @Sendable () -> Body

  init(_ make: @escaping @Sendable () -> Body) { self.make = make }

  func write(to writer: inout JSONWriter) { make().write(to: &writer) }
}
