import { createRequire } from 'node:module'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Tinypool } from 'tinypool'
import type { Judged } from './password-score.js'

/** Many times longer than a judgement takes, with the start of the thread. */
const TIMEOUT_MS = 10_000
/** At boot every process of a machine may start at the same time. */
const BOOT_TIMEOUT_MS = 60_000
/** A thread without work ends after this time. Its dictionaries take 30 MB. */
const IDLE_MS = 10 * 60_000

/** The package exports the compiled file alone, since a thread cannot load TypeScript. */
const SCRIPT = '@holdfast/identity-svc/credentials/password-score'

/** What runs in the threads. */
interface Script {
  /** A package's file, or a path. */
  readonly file: string
  readonly timeoutMs: number
}

/**
 * Judges passwords in worker threads, so that other requests do not wait for it. Its caller limits how many wait. A thread that fails ends
 * the judgements that wait for it, and the next judgement starts another one.
 */
export class PasswordJudge {
  readonly #log = loggerOf('passwords')
  readonly #threads: number
  readonly #script: Script
  #pool: Tinypool | undefined

  /**
   * @param threads how many passwords are judged at the same time
   * @param changed for tests
   */
  constructor(threads: number, changed: Partial<Script> = {}) {
    this.#threads = threads
    this.#script = { file: SCRIPT, timeoutMs: TIMEOUT_MS, ...changed }
  }

  /** @throws DomainError `UNAVAILABLE` when it takes too long, and the thread is ended then; also when the thread cannot start */
  scoreOf(judged: Judged): Promise<number> {
    return this.#run(judged, this.#script.timeoutMs)
  }

  /** Judges a password, to see that the threads start. @throws Error when they do not */
  async check(): Promise<void> {
    try {
      await this.#run({ password: 'password', words: [] }, BOOT_TIMEOUT_MS)
    } catch (cause) {
      throw new Error('passwords cannot be judged: the thread for it does not start', { cause })
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool?.destroy()
  }

  async #run(judged: Judged, timeoutMs: number): Promise<number> {
    this.#pool ??= this.#start()
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    try {
      return (await this.#pool.run(judged, { signal: controller.signal })) as number
    } catch (error) {
      const isRefused = controller.signal.aborted || (error instanceof Error && error.name === 'CancelError')
      throw isRefused ? new DomainError('UNAVAILABLE') : error
    } finally {
      // The pool throws an uncaught error when a judgement that it has cancelled is aborted later.
      clearTimeout(timer)
    }
  }

  /** The first judgement starts the first thread. */
  #start(): Tinypool {
    const pool = new Tinypool({
      filename: createRequire(import.meta.url).resolve(this.#script.file),
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: IDLE_MS,
      // The options of the process, such as Jest's, are not for this thread.
      execArgv: [],
    })
    // A thread that fails before it has work. Without a listener its error would end the process.
    pool.on('error', error => {
      this.#log.error({ err: error }, 'a thread that judges passwords has failed')
      // What waits for a thread is refused at once. The pool is kept: ending it throws an uncaught error when another of its threads fails.
      pool.cancelPendingTasks()
    })
    return pool
  }
}
