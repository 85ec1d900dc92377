import CairnCore

/// A body that is created only when it is encoded, on the connection's thread, so that the thread that responds spends no time on it.
struct LazyBody<Body: JSONWritable>: JSONWritable, Sendable {
  let make: @Sendable () -> Body

  init(_ make: @escaping @Sendable () -> Body) { self.make = make }

  func write(to writer: inout JSONWriter) { make().write(to: &writer) }
}
