import fs from 'node:fs'
import path from 'node:path'
import { sandboxUrl } from './environment.js'
import { inherited } from './inherited.js'
import { ROOT } from './settings.js'
import { runTask } from './task.js'

const ENTRY = path.join(ROOT, 'tools/seed/dist/main.js')

const noteOf = dataDir => path.join(dataDir, 'demo.json')

/** True when there is a demo to fill in. */
export const canSeed = () => fs.existsSync(ENTRY)

/** True when this data folder has its demo. */
export const hasDemo = dataDir => fs.existsSync(noteOf(dataDir))

/**
 * Fills a new data folder with the demo, over the product's own API. The seed writes what people need to know of it,
 * `{ accounts: [{ email, password, who }] }`, to the file named in DEMO_FILE; it counts as done when that file exists.
 */
export async function seedDemo(processes, plan, note) {
  const draft = `${noteOf(plan.settings.dataDir)}.new`
  await runTask(processes, 'seed', process.execPath, [ENTRY], {
    env: {
      ...inherited(),
      GATEWAY_URL: `http://127.0.0.1:${plan.settings.port}`,
      SANDBOX_URL: `http://127.0.0.1:${plan.ports.sandbox.port}`,
      SANDBOX_PUBLIC_URL: sandboxUrl(plan),
      STRIPE_SECRET_KEY: plan.secrets.stripeSecretKey,
      CARRIER_API_KEY: plan.secrets.carrierApiKey,
      DAY_SECONDS: String(plan.settings.daySeconds),
      DEMO_FILE: draft,
    },
    failure: 'The demo could not be filled in (the product itself runs); this is what it said:',
    onLine: note,
  })
  fs.renameSync(draft, noteOf(plan.settings.dataDir))
}

/** The demo's accounts as lines to print; none when there is no demo. */
export function demoAccounts(dataDir) {
  if (!hasDemo(dataDir)) return []
  const { accounts } = JSON.parse(fs.readFileSync(noteOf(dataDir), 'utf8'))
  const width = Math.max(...accounts.map(({ email }) => email.length))
  return accounts.map(({ email, password, who }) => `${email.padEnd(width)}  ${password}  ${who}`)
}
