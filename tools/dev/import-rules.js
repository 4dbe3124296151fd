import fs from 'node:fs'
import path from 'node:path'
import { judgeWebLayers } from './web-import-rules.js'

const PACKAGE = /^@holdfast\/([^/]+)/
// Between `import` and `from` only names, braces and commas may stand; anything else is not an import.
const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const SOURCE = /\.[cm]?[jt]sx?$/
const TEST = /\.spec\.[jt]sx?$|(^|\/)test(ing)?\//
/** Folders whose files are generated or installed. */
const GENERATED = new Set(['node_modules', 'dist'])

/** The packages that only tests may import. */
const FIXTURES = new Set(['testing', 'test-database'])

/**
 * Reads every source file of every package below libs, apps and tools, and of the journeys, tests included, and answers
 * one line for each import that breaks a rule:
 * - A relative path stays in its package.
 * - Only the migrations, and tests that need the tables of two services, import an app, and of it only its plan. Only tests import a tool
 *   or the fixtures.
 * - A domain folder imports only the kernel and types.
 * - A layer of the web app imports only the layers below it.
 *
 * Which project may import which is a rule of the project graph (project-rules.js).
 * The scripts in tools/dev and tools/bench are not packages.
 *
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
  if (!TEST.test(file) && name && FIXTURES.has(name) && !FIXTURES.has(owner.name))
    return 'only tests may import the fixtures'
  if (name && name !== owner.name) {
    if (kind === 'apps' && !isMigrationPlan(owner, file, wanted.from)) return 'no package imports an app'
    if (kind === 'tools' && !TEST.test(file)) return 'only tests may use a tool'
  }
  if (TEST.test(file)) return null
  if (owner.name === 'web') return judgeWebLayers(file, wanted.from)
  return inDomain(file) ? judgeDomain(file, wanted, name) : null
}

const leavesPackage = (file, { from }) =>
  from.startsWith('.') && path.join(path.dirname(file), from).split(path.sep)[0] === '..'
const isMigrationPlan = (owner, file, from) =>
  (owner.name === 'migrate' || TEST.test(file)) && from.endsWith('/migrations/plan')
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
    if (entry.isDirectory()) return GENERATED.has(entry.name) ? [] : sourceFiles(file)
    return SOURCE.test(entry.name) ? [file] : []
  })
}
