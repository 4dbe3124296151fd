import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { runTask } from './task.js'

// At this level npm names every package it fetches, by which one sees how far it is.
const TALK = ['--no-audit', '--no-fund', '--loglevel=http']
// Nothing we use needs a package to run a program of its own while it is installed, so none may.
const SAFE = ['--ignore-scripts']

/** What to install: what the product runs on and is built with, or that and what its tests need. */
export const PRODUCT = 'product'
export const EVERYTHING = 'everything'

/**
 * True when `node_modules` of a folder holds what its lockfile names: by the stamp our own install left, or, when
 * somebody ran npm by hand, by the list npm itself keeps there.
 */
export function isInstalled(folder, scope) {
  const lockfile = path.join(folder, 'package-lock.json')
  if (readStamps(folder).includes(stampFor(lockfile, scope))) return true
  const list = path.join(folder, 'node_modules/.package-lock.json')
  return fs.existsSync(list) && holdsAll(readPackages(lockfile), readPackages(list), scope)
}

/** Installs exactly what the lockfile of `folder` names. `note` shows how far it is. */
export async function install(processes, folder, scope, note) {
  const npm = npmCommand()
  const lockfile = path.join(folder, 'package-lock.json')
  const total = neededPackages(readPackages(lockfile), scope).length
  const omit = scope === PRODUCT ? ['--omit=dev'] : ['--include=dev']
  let fetched = 0
  await runTask(processes, 'npm ci', npm.command, [...npm.args, 'ci', ...TALK, ...SAFE, ...omit], {
    cwd: folder,
    env: process.env,
    // Told to stop politely, npm first takes back what it did. The next install begins from nothing anyway.
    stopSignal: 'SIGKILL',
    // Where in npm it happened says nothing to whoever has no network.
    isNoise: line => /npm (http|warn|error +at )/.test(line),
    onLine: line => {
      if (line.includes('.tgz')) fetched++
      // npm asks again for what did not come, so it can name more than there are.
      note(`${Math.min(fetched, total)} of ${total} packages fetched`)
    },
    failure: 'The packages could not be installed; this is what npm said:',
  })
  // Who has everything has the product, too.
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

// An optional package that names no system is a way round a missing one, and npm leaves it out as it sees fit.
function isForThisSystem({ os, cpu, libc }) {
  return Boolean(
    os?.includes(process.platform) && cpu?.includes(process.arch) && (libc === undefined || libc.includes('glibc')),
  )
}

// The npm that started us where there is one, else the one beside this Node.
function npmCommand() {
  const own = process.env.npm_execpath
  if (own?.endsWith('npm-cli.js') && fs.existsSync(own)) return { command: process.execPath, args: [own] }
  const beside = path.join(path.dirname(process.execPath), 'npm')
  return { command: fs.existsSync(beside) ? beside : 'npm', args: [] }
}
