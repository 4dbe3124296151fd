import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { reservePorts } from './ports.js'
import { startProduct } from './product.js'

/**
 * Starts the product with an empty data folder and ports of its own. Adds to `undo` what frees them again. Resolves when the
 * product is ready, to `{ baseUrl, sandboxUrl, ports, dataDir, exited, stop }`.
 * @param {import('./processes.js').Processes} processes
 * @param {(() => void)[]} undo
 * @param {string} name names the data folder
 * @param {string[]} args arguments of the launcher
 * @param {Record<string, string> | ((dataDir: string) => Promise<Record<string, string>>)} env its variables; a function may prepare the
 * data folder
 */
export async function startScratchProduct(processes, undo, name, args = [], env = {}) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), `holdfast-${name}-`))
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const variables = typeof env === 'function' ? await env(dataDir) : env
  const { ports, release } = await reservePorts(1)
  undo.push(release)
  const product = startProduct(processes, {
    env: { ...variables, DATA_DIR: dataDir, PORT: String(ports.gateway.port) },
    args,
    echo: text => process.stdout.write(text),
  })
  return { ...(await product.ready), dataDir, exited: product.exited, stop: product.stop }
}
