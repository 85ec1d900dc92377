/**
 * Cairn's tree as a state of React Navigation, and back. The outermost navigator is a stack whose first route is the tree's root, and whose
 * others are the modals over it, so that an app's navigators stand still while modals come and go. Route keys are those of the session's views (`keyOf`).
 */
export { toNavigationState } from "./to-navigation-state.js";
export { fromNavigationState } from "./from-navigation-state.js";
export { gesturesBetween } from "./gestures.js";
export { navigationActionBetween } from "./navigation-action.js";
export { followNavigation } from "./follow-navigation.js";
