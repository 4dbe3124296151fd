import fs from 'node:fs'
import path from 'node:path'
import { entryIn } from './built.js'
import { seedEnvironment } from './environment.js'
import { ROOT } from './settings.js'
import { runTask } from './task.js'

const ENTRY = path.join(ROOT, entryIn('tools/seed'))

const noteOf = dataDir => path.join(dataDir, 'demo.json')

/** True when the demo of this data folder is complete. */
export const hasDemo = dataDir => fs.existsSync(noteOf(dataDir))

/**
 * Fills a new data folder with the demo, over the product's own API. When it is done the seed writes
 * `{ accounts: [{ email, password, who }] }` to the file named in DEMO_FILE: the demo is complete when that file exists.
 */
export async function seedDemo(processes, plan, note) {
  await runTask(processes, 'seed', process.execPath, [ENTRY], {
    env: seedEnvironment(plan, noteOf(plan.settings.dataDir)),
    failure: 'The demo could not be filled in (the product itself runs); this is what it printed:',
    onLine: note,
  })
}

/** The demo's accounts as lines to print; none when there is no demo. */
export function demoAccounts(dataDir) {
  if (!hasDemo(dataDir)) return []
  const { accounts } = JSON.parse(fs.readFileSync(noteOf(dataDir), 'utf8'))
  const width = Math.max(...accounts.map(({ email }) => email.length))
  return accounts.map(({ email, password, who }) => `${email.padEnd(width)}  ${password}  ${who}`)
}
