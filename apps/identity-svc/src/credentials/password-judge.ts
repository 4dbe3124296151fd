import { createRequire } from 'node:module'
import { DomainError } from '@holdfast/kernel/errors'
import { Tinypool } from 'tinypool'
import type { Judged } from './password-score.js'

/** Many times longer than a judgement takes, with the start of the thread. */
const TIMEOUT_MS = 10_000
/** A thread without work ends after this time. Its dictionaries take 30 MB. */
const IDLE_MS = 10 * 60_000

/** Judges passwords in worker threads, so that other requests do not wait for it. Its caller limits how many wait. */
export class PasswordJudge {
  readonly #threads: number
  #pool: Tinypool | undefined

  /** @param threads how many passwords are judged at the same time */
  constructor(threads: number) {
    this.#threads = threads
  }

  /** @throws DomainError `UNAVAILABLE` when it takes too long; the thread is ended then */
  async scoreOf(judged: Judged): Promise<number> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      return (await this.#startedPool().run(judged, { signal })) as number
    } catch (error) {
      throw signal.aborted ? new DomainError('UNAVAILABLE') : error
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool?.destroy()
  }

  /** The first judgement starts the first thread, so a process that judges nothing has none. */
  #startedPool(): Tinypool {
    this.#pool ??= new Tinypool({
      // The package exports the compiled file alone, since a thread cannot load TypeScript.
      filename: createRequire(import.meta.url).resolve('@holdfast/identity-svc/credentials/password-score'),
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: IDLE_MS,
      // The options of the process, such as Vitest's, are not for this thread.
      execArgv: [],
    })
    return this.#pool
  }
}
