import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls `condition` again and again until its answer is truthy, and resolves to that answer; to null when `withinMs` have
 * passed first.
 */
export async function until(condition, { withinMs, everyMs }) {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await condition()
    if (answer) return answer
    if (performance.now() >= deadline) return null
    await sleep(everyMs)
  }
}
