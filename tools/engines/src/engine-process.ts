import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How an engine is started. The same command starts it again on the same data. */
export interface EngineCommand {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Its output is appended to this file. */
  readonly logFile: string
  /** Resolves to true once the engine serves requests. */
  readonly isReady: () => Promise<boolean>
  /** How long a start may take. */
  readonly withinMs: number
}

/** An engine does not serve. The message has the end of its log. */
export class EngineDidNotStart extends Error {}

const READY_STEP_MS = 50
const LOG_TAIL = 4_000

/**
 * The process of an engine, which tests stop, pause and kill. It ends together with this process, also when this one is killed.
 */
export class EngineProcess {
  private child: ChildProcess | undefined
  private exited: Promise<void> = Promise.resolve()

  constructor(private readonly command: EngineCommand) {}

  /** Starts the engine, or starts it again, and waits until it serves. @throws EngineDidNotStart when it does not */
  async start(): Promise<void> {
    const { name, file, args, env, logFile, isReady, withinMs } = this.command
    fs.mkdirSync(path.dirname(logFile), { recursive: true })
    const log = fs.openSync(logFile, 'a')
    const child = spawn(...tied(file, args), {
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      // A process group of its own: Ctrl-C in the terminal would otherwise end the engine while the services still need it.
      detached: true,
    })
    fs.closeSync(log)
    this.child = child
    let failure: Error | undefined
    /** How it has ended; undefined while it runs. */
    let end: string | undefined
    this.exited = new Promise(resolve => {
      child.once('error', error => {
        failure = error
        end = error.message
        resolve()
      })
      child.once('exit', (code, signal) => {
        end = `it has ended (${signal ? `killed by ${signal}` : `exit code ${code}`})`
        resolve()
      })
    })
    const until = Date.now() + withinMs
    while (!(await isReady())) {
      if (end === undefined && Date.now() < until) {
        await sleep(READY_STEP_MS)
        continue
      }
      const reason = end ?? `not within ${withinMs} ms`
      await this.kill()
      const output = fs.readFileSync(logFile, 'utf8').slice(-LOG_TAIL)
      throw new EngineDidNotStart(`${name} does not serve: ${reason}\n${output}`, { cause: failure })
    }
  }

  /** Asks the engine to end, and waits for it. */
  async stop(): Promise<void> {
    this.signal('SIGCONT')
    this.signal('SIGTERM')
    await this.exited
  }

  /** Ends the engine at once, as a power cut does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.exited
  }

  /** The engine answers nothing more until `resume`. Its connections stay open. */
  pause(): void {
    this.signal('SIGSTOP')
  }

  resume(): void {
    this.signal('SIGCONT')
  }

  private signal(name: NodeJS.Signals): void {
    this.child?.kill(name)
  }
}

/** The kernel ends the engine when its parent has died. Only Linux can do that; elsewhere the engine then stays. */
function tied(file: string, args: readonly string[]): [string, readonly string[]] {
  return process.platform === 'linux' ? ['setpriv', ['--pdeathsig', 'KILL', file, ...args]] : [file, args]
}
