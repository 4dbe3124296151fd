import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { identityOf } from './process-identity.js'
import { until } from './wait.js'

const SIGNALS = new URL('./signals.js', import.meta.url).href
// What `npm start` runs, without the product: npm runs a shell, and the shell runs node.
const LISTENING = `
  import { listenForStop } from ${JSON.stringify(SIGNALS)}
  const stop = listenForStop({ onFirst() {}, onSecond() {} })
  console.log(process.pid)
  setInterval(() => {}, 1000)
  await stop.interrupted.catch(() => process.exit(0))`
const ENDS_WITHIN_MS = 10_000

it('asks for a stop when the shell in which npm runs it has ended, since a signal to npm ends that shell alone', async () => {
  const script = `"${process.execPath}" --input-type=module -e "$LISTENING"; exit 0`
  const env = { ...process.env, LISTENING, npm_lifecycle_event: 'start' }
  const shell = spawn('sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: shell.stdout }), 'line')
  const pid = Number(line)
  try {
    expect(identityOf(pid)).not.toBeNull()
    shell.kill('SIGTERM')
    await once(shell, 'exit')
    expect(await until(() => identityOf(pid) === null, { withinMs: ENDS_WITHIN_MS, everyMs: 50 })).toBe(true)
  } finally {
    if (identityOf(pid) !== null) process.kill(pid, 'SIGKILL')
  }
})
