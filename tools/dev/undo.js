import { sayFailure } from './output.js'

/**
 * Calls what a run must undo, the last step first. A step that fails is shown, and the others are still called. Answers whether all succeeded.
 * @param {(() => unknown)[]} steps
 */
export async function undoAll(steps) {
  let isUndone = true
  for (const step of steps.reverse()) {
    try {
      await step()
    } catch (error) {
      sayFailure(error)
      isUndone = false
    }
  }
  return isUndone
}
