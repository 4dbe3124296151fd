/**
 * Asserts an invariant that no input can break. It stays on in production, so that a violated invariant stops the command
 * before money moves.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant violated: ${message}`)
}
