import { loggerOf } from '../telemetry/logging.js'
import { Drain } from './drain.js'
import { isDoneWithin } from './waiting.js'

/** A check that has not answered within this time has failed. */
export const CHECK_TIMEOUT_MS = 2_000

export interface HealthCheck {
  readonly name: string
  /**
   * - `required`: this process cannot serve without it, so its failure is a failure of readiness
   * - `named`: another system. It is shown and never affects readiness; otherwise one outage would stop every service
   * - `deep`: runs only for `/readyz?deep=1`, and can fail only that
   */
  readonly kind: 'required' | 'named' | 'deep'
  /** Throws when the check fails. The message is logged and is not in the answer. */
  run(): Promise<void>
}

export interface Readiness {
  readonly ready: boolean
  readonly body: { readonly status: string; readonly checks: Readonly<Record<string, string>> }
}

/** Whether this process can serve. Modules add a check for each dependency. */
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

  /** Runs all checks at the same time. Calls that arrive meanwhile share the result, so many probes cost as much as one. */
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
      if (this.#failing.delete(check.name)) this.#log.info({ check: check.name }, 'a health check passes again')
      return 'ok'
    } catch (error) {
      // Probes come every few seconds, so only changes are logged.
      if (!this.#failing.has(check.name)) this.#log.warn({ err: error, check: check.name }, 'a health check failed')
      this.#failing.add(check.name)
      return 'failed'
    }
  }
}
