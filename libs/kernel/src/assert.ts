/**
 * Asserts an invariant that no input can break. It stays on in production: a violated invariant near money must stop
 * the command, not be found in the books a month later.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant violated: ${message}`)
}

/** Marks a branch the type checker has proven unreachable; `value` names what came all the same. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}
