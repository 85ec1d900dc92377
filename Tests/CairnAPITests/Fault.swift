import CairnAPI

/// The fault that parsing a body throws, or `nil` if the body is valid.
func fault<Result>(_ read: () throws(BodyFault) -> Result) -> BodyFault? {
  do throws(BodyFault) {
    _ = try read()
    return nil
  } catch {
    return error
  }
}
