import { CairnProblem } from "./problem.js";

/** The codes of a refusal of what the user did on a screen that he no longer sees. */
const codes = new Set(["hidden", "dismissed"]);

/**
 * Whether a post was refused because the screen to which it is bound is no longer visible, as with the second one of a double tap. That is no rejection: the user
 * has seen nothing of it. A post that was shown is taken back, which is one.
 */
export function isStale({ isBound, wasShown }, problem) {
  return isBound === true && wasShown !== true && problem instanceof CairnProblem && codes.has(problem.code);
}

/** The answer to such a post. */
export function staleAnswer(problem) {
  return { outcome: "stale", reason: problem.code, events: [], changes: [], problem };
}

/** The answer as it is sent to another page, which cannot get an error. */
export function plainAnswer(answer) {
  return answer?.problem instanceof CairnProblem ? { ...answer, problem: answer.problem.body } : answer;
}

/** The answer as another page has sent it. */
export function answerFrom(answer) {
  return answer?.outcome === "stale" ? staleAnswer(new CairnProblem(answer.problem ?? { code: answer.reason })) : answer;
}
