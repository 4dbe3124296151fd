// `npm run load -- <scenario>`: puts a load on the product with k6, in an open loop. tools/load/README.md explains it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../dev/failure.js'
import { say } from '../dev/output.js'
import { session } from '../dev/session.js'
import { findK6 } from './find-k6.js'
import { PEAK_SECONDS } from './k6/peak.js'
import { readSettings } from './settings.js'
import { startWorld } from './world.js'

const SCRIPT = fileURLToPath(new URL('k6/main.js', import.meta.url))

/** The gateway allows an address 512 connections, so the virtual users of one machine have several addresses. */
const ADDRESSES = '127.0.0.1-127.0.0.16'

/** k6 reports a threshold that was not kept by this status. */
const THRESHOLD_FAILED = 99

await session(async (processes, undo) => {
  const settings = readSettings(process.argv.slice(2), process.env)
  const k6 = findK6()
  const world = await startWorld(processes, undo, settings)
  const run = async (args, variables) => {
    const { child } = processes.spawn('k6', k6, ['run', '--quiet', ...args, SCRIPT], {
      cwd: path.dirname(SCRIPT),
      output: 'inherit',
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        K6_NO_USAGE_REPORT: 'true',
        K6_AUTO_EXTENSION_RESOLUTION: 'false',
        ...(world.isOurs && process.platform === 'linux' ? { K6_LOCAL_IPS: ADDRESSES } : {}),
        SCENARIO: settings.scenario,
        BASE_URL: world.baseUrl,
        PEOPLE_FILE: world.peopleFile,
        ...variables,
      },
    })
    return new Promise(resolve => child.once('close', resolve))
  }
  /** The highest rate of iterations, when each virtual user begins the next one as soon as the last has ended. */
  const measurePeak = async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-load-'))
    undo.push(() => fs.rmSync(folder, { recursive: true }))
    const summary = path.join(folder, 'summary.json')
    const code = await run(['--summary-export', summary], { PEAK: '1' })
    if (code !== 0) throw new Failure('The peak could not be measured; k6 has printed why.')
    const { count } = JSON.parse(fs.readFileSync(summary, 'utf8')).metrics['iterations{scenario:peak}']
    return count / PEAK_SECONDS
  }

  let { rate } = settings
  if (settings.shareOfPeak) {
    const peak = await measurePeak()
    rate = Math.round(peak * settings.shareOfPeak)
    say('', `The peak is ${peak.toFixed(0)} iterations a second. The load is ${rate} a second.`, '')
  }
  const code = await run([], {
    RATE: String(rate ?? ''),
    DURATION: settings.duration ?? '',
    STRICT: settings.shareOfPeak ? '1' : '',
  })
  await world.stop()
  if (code === THRESHOLD_FAILED) process.stdout.write('A threshold was not kept.\n')
  return code === 0 ? 0 : 1
})
