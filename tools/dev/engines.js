import fs from 'node:fs'
import path from 'node:path'
import { Failure } from './failure.js'

const SYSTEMS = ['linux', 'darwin']

/**
 * Proves that every installed package runs on every version of Node that `engines` in package.json promises, packages for
 * development included: contributors use those versions, too. Throws a Failure that names the packages that do not.
 */
export async function checkEngines(root) {
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const narrower = await narrowerEngines(packages, engines.node)
  if (narrower.length === 0) return
  throw new Failure(`Packages that do not run on all of Node ${engines.node}, which package.json promises:`, narrower)
}

/**
 * One line for each entry of a lockfile's `packages` that does not promise all of `range`.
 * @param {Record<string, { version?: string, link?: boolean, optional?: boolean, os?: string[], engines?: { node?: string } }>} packages
 */
export async function narrowerEngines(packages, range) {
  // Only here: the other scripts in this folder also run before anything is installed.
  const { default: semver } = await import('semver')
  return Object.entries(packages).flatMap(([where, entry]) => {
    const { version, engines } = entry
    if (!engines?.node || !runsHere(entry) || semver.subset(range, engines.node)) return []
    return [`${where} ${version}: Node ${engines.node}`]
  })
}

/**
 * False for an optional package that npm installs on other systems only.
 *
 * @param {{ optional?: boolean, os?: string[] }} entry
 */
const runsHere = ({ optional, os }) => !optional || !os || os.some(name => SYSTEMS.includes(name))
