// `npm run load -- <scenario>`: puts a load on the product with k6, in an open loop. tools/load/README.md explains it.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { session } from '../dev/session.js'
import { findK6 } from './find-k6.js'
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
  const { child } = processes.spawn('k6', k6, ['run', '--quiet', SCRIPT], {
    cwd: path.dirname(SCRIPT),
    output: 'inherit',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      K6_NO_USAGE_REPORT: 'true',
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
      ...(world.isOurs && process.platform === 'linux' ? { K6_LOCAL_IPS: ADDRESSES } : {}),
      SCENARIO: settings.scenario,
      RATE: String(settings.rate ?? ''),
      DURATION: settings.duration ?? '',
      BASE_URL: world.baseUrl,
      PEOPLE_FILE: world.peopleFile,
    },
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  await world.stop()
  if (code === THRESHOLD_FAILED) process.stdout.write('A threshold was not kept.\n')
  return code === 0 ? 0 : 1
})
