import CairnAPI

/// The fault that reading a body throws; `nil` if it was read.
func fault<Result>(_ read: () throws(BodyFault) -> Result) -> BodyFault? {
  do throws(BodyFault) {
    _ = try read()
    return nil
  } catch {
    return error
  }
}
