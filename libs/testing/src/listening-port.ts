import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

const START_WITHIN_MS = 90_000
/** How many log lines of a process that did not start are reported. */
const REPORTED_LINES = 20

/**
 * The port that the process of a service logs when it is ready. Its output must be piped.
 *
 * @throws Error with the last log lines when the process ends before, or is not ready in time; then it is killed
 */
export function listeningPort(service: string, child: ChildProcess): Promise<number> {
  const last: string[] = []
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${service} did not start: ${why}\n${last.join('\n')}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('it was not ready in time')
    }, START_WITHIN_MS)
    child.once('exit', code => fail(`it ended with ${code}`))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', line => {
      last.push(line)
      if (last.length > REPORTED_LINES) last.shift()
      const { msg, port } = readLog(line)
      if (msg !== `${service} is ready` || port === undefined) return
      clearTimeout(timer)
      resolve(port)
    })
  })
}

const readLog = (line: string): { msg?: string; port?: number } => (line.startsWith('{') ? JSON.parse(line) : {})
