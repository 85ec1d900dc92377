/// The ASCII form of international host names (RFC 3492; RFC 5890, 2.3.2.1).
package enum Punycode {
  /// The host with each non-ASCII label replaced by `xn--` and its Punycode; `nil` if a label is too long to be encoded.
  package static func ascii(_ host: String) -> String? {
    var labels: [String] = []
    for label in host.split(separator: ".", omittingEmptySubsequences: false) {
      let scalars = label.unicodeScalars.map { $0.value }
      guard scalars.contains(where: { $0 >= initialN }) else {
        labels.append(String(label))
        continue
      }
      guard let coded = encode(scalars) else { return nil }
      labels.append("xn--" + coded)
    }
    return labels.joined(separator: ".")
  }

  /// The host with its Punycode labels decoded. A label that is not valid Punycode is left unchanged.
  static func readable(_ host: String) -> String {
    var labels: [String] = []
    for label in host.split(separator: ".", omittingEmptySubsequences: false) {
      labels.append(label.utf8.starts(with: "xn--".utf8) ? decode(Array(label.utf8.dropFirst(4))) ?? String(label) : String(label))
    }
    return labels.joined(separator: ".")
  }

  // The parameters of RFC 3492, 5.
  private static let (base, tMin, tMax, skew, damp): (UInt32, UInt32, UInt32, UInt32, UInt32) = (36, 1, 26, 38, 700)
  private static let (initialBias, initialN): (UInt32, UInt32) = (72, 0x80)
  /// Maximum length of a label that is encoded or decoded (RFC 1035, 2.3.4). Within this limit no number overflows, and the time is bounded.
  private static let limit = 63

  private static func adapt(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var k: UInt32 = 0
    while delta > (base - tMin) * tMax / 2 {
      delta /= base - tMin
      k += base
    }
    return k + (base - tMin + 1) * delta / (delta + skew)
  }

  private static func threshold(_ k: UInt32, _ bias: UInt32) -> UInt32 { k <= bias ? tMin : min(k - bias, tMax) }

  private static func encode(_ scalars: [UInt32]) -> String? {
    guard scalars.count <= limit else { return nil }
    var output = scalars.filter { $0 < initialN }.map { UInt8($0) }
    var (n, delta, bias) = (initialN, UInt32(0), initialBias)
    let basic = UInt32(output.count)
    var handled = basic
    if basic > 0 { output.append(UInt8(ascii: "-")) }
    while handled < UInt32(scalars.count) {
      guard let next = scalars.filter({ $0 >= n }).min() else { return nil }
      delta += (next - n) * (handled + 1)
      n = next
      for scalar in scalars {
        if scalar < n { delta += 1 }
        guard scalar == n else { continue }
        var (q, k) = (delta, base)
        while case let t = threshold(k, bias), q >= t {
          output.append(digit(t + (q - t) % (base - t)))
          q = (q - t) / (base - t)
          k += base
        }
        output.append(digit(q))
        bias = adapt(delta, handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      n += 1
    }
    return output.count + 4 <= limit ? String(decoding: output, as: UTF8.self) : nil
  }

  /// The text of a label without its prefix `xn--`. Returns `nil` for invalid Punycode, and for a label that would not need Punycode.
  private static func decode(_ label: [UInt8]) -> String? {
    guard label.count <= limit, label.allSatisfy({ $0 < 0x80 }) else { return nil }
    let dash = label.lastIndex(of: UInt8(ascii: "-"))
    var output = label[..<(dash ?? 0)].map { UInt32($0) }
    var rest = label[(dash.map { $0 + 1 } ?? 0)...]
    guard !rest.isEmpty else { return nil }
    var (n, index, bias) = (initialN, UInt32(0), initialBias)
    while !rest.isEmpty {
      let old = index
      var (weight, k) = (UInt32(1), base)
      while true {
        guard let digit = rest.popFirst().flatMap(number) else { return nil }
        let (step, stepOverflows) = digit.multipliedReportingOverflow(by: weight)
        let (sum, sumOverflows) = index.addingReportingOverflow(step)
        guard !stepOverflows, !sumOverflows else { return nil }
        index = sum
        let t = threshold(k, bias)
        if digit < t { break }
        let (next, overflows) = weight.multipliedReportingOverflow(by: base - t)
        guard !overflows else { return nil }
        weight = next
        k += base
      }
      let count = UInt32(output.count) + 1
      bias = adapt(index - old, count, isFirst: old == 0)
      let (next, overflows) = n.addingReportingOverflow(index / count)
      guard !overflows, Unicode.Scalar(next) != nil else { return nil }
      n = next
      index %= count
      output.insert(n, at: Int(index))
      index += 1
    }
    var text = ""
    for scalar in output.compactMap(Unicode.Scalar.init) { text.unicodeScalars.append(scalar) }
    return text
  }

  private static func digit(_ number: UInt32) -> UInt8 { UInt8(number < 26 ? number + 0x61 : number - 26 + 0x30) }

  private static func number(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 26
    default: nil
    }
  }
}
