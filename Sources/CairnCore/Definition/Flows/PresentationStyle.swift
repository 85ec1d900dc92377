public enum PresentationStyle: String, Hashable, Sendable, CaseIterable {
  case sheet, fullScreen, alert
}
