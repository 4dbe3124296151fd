import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How long a test waits for a log line. */
const PATIENCE_MS = 40_000

/** The tiny service as a separate process, and the lines that it has logged. */
export interface ServiceProcess {
  readonly child: ChildProcess
  readonly lines: Record<string, unknown>[]
  readonly stderr: () => string
  /** The first log line with the message. */
  logged(message: string): Promise<Record<string, unknown>>
  /** The exit status, once it has ended. */
  readonly ended: Promise<number | null>
}

export function startServiceProcess(env: Record<string, string>, ipc = false): ServiceProcess {
  const [loader, entry] = ['typescript.js', 'tiny-service.ts'].map(name =>
    fileURLToPath(new URL(name, import.meta.url)),
  )
  const child = spawn(process.execPath, ['--conditions=source', '--import', loader!, entry!, 'boot'], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  })
  const lines: Record<string, unknown>[] = []
  let [rest, stderr] = ['', '']
  const waiting: { message: string; resolve: (line: Record<string, unknown>) => void }[] = []
  child.stdout?.on('data', data => {
    const parts = (rest + data).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const line = JSON.parse(part)
      lines.push(line)
      for (const { message, resolve } of waiting) if (line.msg === message) resolve(line)
    }
  })
  child.stderr?.on('data', data => {
    stderr += data
  })
  // The process counts as ended only after its last lines were read.
  const read = new Promise(resolve => child.stdout?.once('end', resolve))
  const ended = new Promise<number | null>(resolve => child.once('exit', code => read.then(() => resolve(code))))
  const logged = (message: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const known = lines.find(line => line.msg === message)
      if (known) return resolve(known)
      const timer = setTimeout(() => reject(new Error(`never logged "${message}": ${stderr}`)), PATIENCE_MS)
      const done = (line: Record<string, unknown>) => {
        clearTimeout(timer)
        resolve(line)
      }
      waiting.push({ message, resolve: done })
      void ended.then(status => {
        clearTimeout(timer)
        reject(new Error(`ended with ${status} before it logged "${message}": ${stderr}`))
      })
    })
  return { child, lines, stderr: () => stderr, logged, ended }
}
