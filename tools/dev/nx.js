import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './settings.js'

export const NX = path.join(ROOT, 'node_modules/nx/dist/bin/nx.js')
/** The environment of a call of Nx. A plugin in a process of its own costs a second at each start. */
export const nxEnvironment = () => ({ ...process.env, NX_ISOLATE_PLUGINS: 'false' })

/**
 * The files that nx.json declares as inputs of a target of a project, relative to the checkout.
 * @param {string} folder @param {string} target @returns {Promise<Set<string>>}
 */
export async function inputsOf(folder, target) {
  const { files } = await ask('show', 'target', 'inputs', `${path.basename(folder)}:${target}`, '--json')
  return new Set(files)
}

/** The projects of this checkout, and which of them imports which. */
export async function projectGraph() {
  const { graph } = await ask('graph', '--print')
  return graph
}

/** The answer of a command of Nx that prints JSON. @param {string[]} args */
async function ask(...args) {
  const options = { cwd: ROOT, env: nxEnvironment(), maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, [NX, ...args], options)
  return JSON.parse(stdout)
}
