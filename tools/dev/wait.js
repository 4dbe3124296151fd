/** Resolves after `ms`. */
export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Asks `condition` again and again until it answers something truthy, and resolves to that; to null when `withinMs`
 * have passed first.
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
