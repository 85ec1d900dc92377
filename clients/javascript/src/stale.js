import { CairnProblem } from "./problem.js";

/** The codes of the refusal of an action on a screen that the user no longer sees. */
const codes = new Set(["hidden", "dismissed"]);

/**
 * Returns whether a post was refused because the screen to which it is bound is no longer visible, as with the second post of a double tap. Such a refusal is
 * not a rejection, because the user has seen no effect of the post. If the effect was shown, it is undone, and the refusal is a rejection.
 */
export function isStale({ isBound, wasShown }, problem) {
  return isBound === true && wasShown !== true && problem instanceof CairnProblem && codes.has(problem.code);
}

/** Returns the answer to a stale post, with the outcome `stale`. */
export function staleAnswer(problem) {
  return { outcome: "stale", reason: problem.code, events: [], changes: [], problem };
}

/** Returns the answer in the form that is sent to another page, which cannot receive an error object. */
export function plainAnswer(answer) {
  return answer?.problem instanceof CairnProblem ? { ...answer, problem: answer.problem.body } : answer;
}

/** Returns an answer from the form in which another page has sent it. A stale answer gets its problem as an error object again. */
export function answerFrom(answer) {
  return answer?.outcome === "stale" ? staleAnswer(new CairnProblem(answer.problem ?? { code: answer.reason })) : answer;
}
