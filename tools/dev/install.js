import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { phase } from './output.js'
import { runTask } from './task.js'

// At this level npm prints every package that it fetches, which shows its progress.
const OUTPUT = ['--no-audit', '--no-fund', '--loglevel=http']
// No package that we use needs to run a script while it is installed, so none may.
const SAFE = ['--ignore-scripts']

/** What to install: the packages that run and build the product, or also those of its tests. */
export const PRODUCT = 'product'
export const EVERYTHING = 'everything'

/**
 * True when `node_modules` of a folder holds what its lockfile names: by the stamp that our own install wrote, or,
 * after an `npm ci` by hand, by the list that npm keeps there.
 */
export function isInstalled(folder, scope) {
  const lockfile = path.join(folder, 'package-lock.json')
  if (readStamps(folder).includes(stampFor(lockfile, scope))) return true
  const list = path.join(folder, 'node_modules/.package-lock.json')
  return fs.existsSync(list) && holdsAll(readPackages(lockfile), readPackages(list), scope)
}

/** Installs what the tests of this checkout need, unless it is there. */
export async function installEverything(processes, root) {
  if (!isInstalled(root, EVERYTHING))
    await phase('Installing packages', note => install(processes, root, EVERYTHING, note))
}

/** Installs exactly what the lockfile of `folder` names. `note` shows how far it is. */
export async function install(processes, folder, scope, note) {
  const npm = npmCommand()
  const lockfile = path.join(folder, 'package-lock.json')
  const total = neededPackages(readPackages(lockfile), scope).length
  const omit = scope === PRODUCT ? ['--omit=dev'] : ['--include=dev']
  let fetched = 0
  await runTask(processes, 'npm ci', npm.command, [...npm.args, 'ci', ...OUTPUT, ...SAFE, ...omit], {
    cwd: folder,
    env: process.env,
    // On SIGTERM npm first removes what it installed. The next install starts from nothing anyway.
    stopSignal: 'SIGKILL',
    // npm's own stack traces do not help a person whose network is down.
    isNoise: line => /npm (http|warn|error +at )/.test(line),
    onLine: line => {
      if (line.includes('.tgz')) fetched++
      // npm prints a package again when it retries, so there can be more lines than packages.
      note(`${Math.min(fetched, total)} of ${total} packages fetched`)
    },
    failure: 'The packages could not be installed; this is what npm printed:',
  })
  // An install of everything contains the packages of the product.
  const scopes = scope === EVERYTHING ? [EVERYTHING, PRODUCT] : [PRODUCT]
  fs.writeFileSync(stampOf(folder), scopes.map(each => stampFor(lockfile, each)).join('\n'))
}

const stampOf = folder => path.join(folder, 'node_modules/.holdfast-installed')

function readStamps(folder) {
  return fs.existsSync(stampOf(folder)) ? fs.readFileSync(stampOf(folder), 'utf8').split('\n') : []
}

// The same lockfile gives other packages on another system, so a copied node_modules does not count as installed.
function stampFor(lockfile, scope) {
  const hash = createHash('sha256').update(fs.readFileSync(lockfile))
  return hash.update(`${process.platform}-${process.arch}-${scope}`).digest('hex')
}

const readPackages = file => JSON.parse(fs.readFileSync(file, 'utf8')).packages ?? {}

function holdsAll(wanted, present, scope) {
  return neededPackages(wanted, scope).every(([where, { version }]) => present[where]?.version === version)
}

function neededPackages(wanted, scope) {
  return Object.entries(wanted).filter(([where, entry]) => {
    // The workspaces themselves are not packages of the registry.
    if (!where.includes('node_modules/') || entry.link) return false
    if (scope === PRODUCT && (entry.dev || entry.devOptional)) return false
    return !entry.optional || isForThisSystem(entry)
  })
}

// An optional package that names no system is a fallback for a missing one, and npm may leave it out.
function isForThisSystem({ os, cpu, libc }) {
  return Boolean(
    os?.includes(process.platform) && cpu?.includes(process.arch) && (libc === undefined || libc.includes('glibc')),
  )
}

// The npm that runs this script, else the one beside this Node.
function npmCommand() {
  const own = process.env.npm_execpath
  if (own?.endsWith('npm-cli.js') && fs.existsSync(own)) return { command: process.execPath, args: [own] }
  const beside = path.join(path.dirname(process.execPath), 'npm')
  return { command: fs.existsSync(beside) ? beside : 'npm', args: [] }
}
