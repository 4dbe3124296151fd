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

/** Which call made something happen; both are null when no call did. */
export interface Cause {
  readonly requestId: string | null
  readonly idempotencyKey: string | null
}

/** The cause of what a clock or a button of the sandbox's page made happen. */
export const NO_CALL: Cause = { requestId: null, idempotencyKey: null }
