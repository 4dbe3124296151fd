import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEngines } from './distributed.js'

/**
 * Starts Kafka, Redis and an S3 server in a folder of their own, outside the launcher, so that they can be killed and started again. Answers
 * as `startEngines`. Adds to `undo` what stops them and removes the folder.
 * @param {string} name names the folder
 */
export async function startScratchEngines(processes, undo, name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `holdfast-${name}-engines-`))
  undo.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  const engines = await startEngines(processes, folder, {})
  undo.push(engines.stop)
  return engines
}
