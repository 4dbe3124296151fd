// Runs k6 itself, which Go compiles first on a machine that has none. `scenarios.spec.js` compares each request with the contracts without it.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { goProgram } from '@holdfast/engines/go'
import { K6 } from './find-k6.js'

const { PATH, HOME, ENGINES_HOME } = process.env
const MAIN = fileURLToPath(new URL('main.js', import.meta.url))
const COMPILES_WITHIN_MS = 1_200_000
const RUNS_WITHIN_MS = 600_000

beforeAll(() => void goProgram('k6', K6), COMPILES_WITHIN_MS)

/** What k6 prints of a figure, such as `checks_succeeded...: 100.00% 560 out of 560`. */
const figure = (output, name) => new RegExp(`^ *${name}\\.*: +(\\S+)`, 'm').exec(output)?.[1]

// How fast the product is depends on the machine, so the thresholds of time may be missed here.
it(
  'k6 browses, buys and chats on a started product, and no request or check fails',
  async () => {
    const child = spawn(process.execPath, [MAIN, 'mixed'], {
      env: { PATH, HOME, ...(ENGINES_HOME && { ENGINES_HOME }), RATE: '4', DURATION: '10s' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = await text(child.stdout)
    expect(output).toContain('checks_total')
    expect([figure(output, 'checks_succeeded'), figure(output, 'http_req_failed')]).toEqual(['100.00%', '0.00%'])
    // The last digit of an iteration's number decides what it does.
    expect(Number(figure(output, 'iterations'))).toBeGreaterThanOrEqual(10)
  },
  RUNS_WITHIN_MS,
)
