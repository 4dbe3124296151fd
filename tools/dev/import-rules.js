import fs from 'node:fs'
import path from 'node:path'
import { judgeWebLayers } from './web-import-rules.js'

const PACKAGE = /^@holdfast\/([^/]+)/
// Between the word and `from` stand names, braces and commas alone; anything else is no import.
const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const SOURCE = /\.[cm]?[jt]sx?$/
const TEST = /\.spec\.[jt]sx?$|(^|\/)test(ing)?\//
/** Not written by hand. */
const FOREIGN = new Set(['node_modules', 'dist'])

/** What the web app may know of the rest of the house. */
const WEB_MAY = ['contracts', 'kernel', 'http-client']

/**
 * Reads every source file of every package below libs, apps and tools, and of the journeys, tests included, and answers
 * one line for each import that goes the wrong way: nobody reaches into another package by a relative path; apps use
 * libs and libs use libs; nobody uses an app, but for the migrations that list every service's plan; only tests use a
 * tool; the kernel uses nobody; the web app only what it may carry to a browser; a domain folder only the kernel and
 * types; the web app's layers only those below them; and what is there for tests is used by tests alone. The scripts in tools/dev and tools/bench are no packages.
 * @param {string} root @returns {string[]}
 */
export function findBrokenImportRules(root) {
  const packages = packagesOf(root)
  const kinds = new Map(packages.map(({ name, kind }) => [name, kind]))
  return packages.flatMap(owner =>
    sourceFiles(owner.folder).flatMap(file =>
      importsOf(fs.readFileSync(file, 'utf8')).flatMap(wanted => {
        const problem = judge(owner, path.relative(owner.folder, file), wanted, kinds)
        return problem ? [`${path.relative(root, file)}: ${problem} (${wanted.from})`] : []
      }),
    ),
  )
}

function judge(owner, file, wanted, kinds) {
  if (leavesPackage(file, wanted)) return 'a relative path stays in its package'
  const name = PACKAGE.exec(wanted.from)?.[1]
  const kind = name && kinds.get(name)
  if (!TEST.test(file) && name === 'testing') return 'only tests may use what is there for tests'
  if (name && name !== owner.name) {
    if (owner.name === 'kernel') return 'the kernel depends on nobody'
    if (kind === undefined) return 'there is no such package'
    if (kind === 'apps' && !isMigrationPlan(owner, wanted.from)) return 'nobody imports an app'
    if (kind === 'tools' && !TEST.test(file)) return 'only tests may use a tool'
    if (owner.name === 'web' && !WEB_MAY.includes(name)) return `the web app may use only ${WEB_MAY.join(', ')}`
  }
  if (TEST.test(file)) return null
  if (owner.name === 'web') return judgeWebLayers(file, wanted.from)
  return inDomain(file) ? judgeDomain(file, wanted, name) : null
}

const leavesPackage = (file, { from }) =>
  from.startsWith('.') && path.join(path.dirname(file), from).split(path.sep)[0] === '..'
const isMigrationPlan = (owner, from) => owner.name === 'migrate' && from.endsWith('/migrations/plan')
const inDomain = file => file.split(path.sep).includes('domain')

function judgeDomain(file, wanted, name) {
  if (wanted.typeOnly || name === 'kernel') return null
  const target = path.join(path.dirname(file), wanted.from)
  if (wanted.from.startsWith('.') && inDomain(target)) return null
  return 'a domain folder imports only the kernel and types'
}

/** The imports of a source text: `{ from, typeOnly }`. */
export function importsOf(text) {
  return [...text.matchAll(IMPORT)].map(([, type, from, dynamic]) => ({
    from: from ?? dynamic,
    typeOnly: Boolean(type),
  }))
}

function packagesOf(root) {
  const members = ['libs', 'apps', 'tools'].flatMap(kind =>
    fs.readdirSync(path.join(root, kind)).map(name => ({ kind, name, folder: path.join(root, kind, name) })),
  )
  const journeys = { kind: 'e2e', name: 'e2e', folder: path.join(root, 'e2e') }
  return [...members, journeys].filter(({ folder }) => fs.existsSync(path.join(folder, 'package.json')))
}

function sourceFiles(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return FOREIGN.has(entry.name) ? [] : sourceFiles(file)
    return SOURCE.test(entry.name) ? [file] : []
  })
}
