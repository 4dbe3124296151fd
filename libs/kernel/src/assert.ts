/**
 * Asserts an invariant that no input can break. It stays on in production: a violated invariant near money must stop
 * the command, not be found in the books a month later.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant violated: ${message}`)
}
