import { loggerOf } from '../telemetry/logging.js'
import { Drain } from './drain.js'
import { isDoneWithin } from './waiting.js'

/** A check that has not answered after so long has failed. */
export const CHECK_TIMEOUT_MS = 2_000

export interface HealthCheck {
  readonly name: string
  /**
   * - `required`: without it this process cannot serve; it fails readiness
   * - `named`: engines and peers; told, but never fails readiness, or one outage would take every service out
   * - `deep`: asked only by `/readyz?deep=1`, and fails that
   */
  readonly kind: 'required' | 'named' | 'deep'
  /** Throws when it is not well; the message is for the log, not for the answer. */
  run(): Promise<void>
}

export interface Readiness {
  readonly ready: boolean
  readonly body: { readonly status: string; readonly checks: Readonly<Record<string, string>> }
}

/** Knows whether this process can serve. Modules add what they depend on. */
export class Health {
  readonly #checks: HealthCheck[] = []
  readonly #log = loggerOf('health')
  readonly #failing = new Set<string>()
  readonly #asking = new Map<boolean, Promise<Readiness>>()
  #started = false

  constructor(private readonly drain: Drain) {}

  add(check: HealthCheck): void {
    this.#checks.push(check)
  }

  /** The boot has finished. */
  started(): void {
    this.#started = true
  }

  /** Asks every check that is due, at once. Who asks while others wait gets the same answer, so asking often costs nothing. */
  readiness(deep: boolean): Promise<Readiness> {
    const known = this.#asking.get(deep)
    if (known) return known
    const asking = this.#ask(deep).finally(() => this.#asking.delete(deep))
    this.#asking.set(deep, asking)
    return asking
  }

  async #ask(deep: boolean): Promise<Readiness> {
    const asked = this.#checks.filter(check => deep || check.kind !== 'deep')
    const outcomes = await Promise.all(asked.map(check => this.#outcomeOf(check)))
    const failed = asked.some((check, i) => check.kind !== 'named' && outcomes[i] !== 'ok')
    const status = this.drain.draining ? 'draining' : !this.#started ? 'starting' : failed ? 'failing' : 'ok'
    const checks = Object.fromEntries(asked.map((check, i) => [check.name, outcomes[i]!]))
    return { ready: status === 'ok', body: { status, checks } }
  }

  async #outcomeOf(check: HealthCheck): Promise<string> {
    try {
      if (!(await isDoneWithin(CHECK_TIMEOUT_MS, check.run()))) throw new Error('no answer in time')
      if (this.#failing.delete(check.name)) this.#log.info({ check: check.name }, 'a health check is well again')
      return 'ok'
    } catch (error) {
      // Probes come every few seconds; the log needs the change, not the state.
      if (!this.#failing.has(check.name)) this.#log.warn({ err: error, check: check.name }, 'a health check failed')
      this.#failing.add(check.name)
      return 'failed'
    }
  }
}
