import type { SandboxConfig } from './config.js'
import type { State } from './state/state.js'

/** What every part of the sandbox works on. */
export interface Context {
  readonly config: SandboxConfig
  readonly state: State
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The origin at which a browser reaches the sandbox; known once it listens. */
  readonly origin: () => string
}

/** Which call made something happen; both null when nobody called. */
export interface Cause {
  readonly requestId: string | null
  readonly idempotencyKey: string | null
}

export const NOBODY: Cause = { requestId: null, idempotencyKey: null }
