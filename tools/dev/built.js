import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Where a checkout keeps the records of its builds, the packed processes, and the lock of its launchers. */
export const BUILD_RECORDS = '.build'

/** What every package is built with. After a change of one of these files, all packages are built again. */
const TOOLCHAIN = ['package-lock.json', '.swcrc', 'tools/dev/build-packages.js', 'tools/dev/pack.js']
/** Folders of a package that its build does not read. */
const NOT_SOURCES = new Set(['node_modules', 'dist', 'test'])
/** The folder of the processes that are packed together (pack.js). */
export const PACKED = `${BUILD_RECORDS}/packed`
/** Processes that are not packed, because they read files that lie beside their compiled ones. */
const NOT_PACKED = new Set(['tools/sandbox', 'tools/seed'])
const TEST = /\.spec\.tsx?$/

/**
 * What a checkout has to build, each after those that it depends on: `{ name, folder, needs, kind }`. `needs` names the packages
 * that it depends on, directly or not. `kind` is 'compiled' for libs, services and tools, and 'web' for the web app. The last one is
 * 'packed': all processes that are packed together, with their folders as `processes`.
 */
export function readPackages(root) {
  const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const folders = workspaces.flatMap(folder =>
    folder.endsWith('/*') ? subfolders(root, folder.slice(0, -2)) : [folder],
  )
  const byName = new Map(folders.map(folder => describe(root, folder)).map(each => [each.name, each]))
  const ordered = new Map()
  const visit = ({ name, folder, dependencies, kind }) => {
    if (ordered.has(name)) return
    const direct = dependencies.filter(each => byName.has(each))
    for (const each of direct) visit(byName.get(each))
    const needs = new Set(direct.flatMap(each => [...ordered.get(each).needs, each]))
    ordered.set(name, { name, folder, needs: [...needs], kind })
  }
  for (const each of byName.values()) visit(each)
  const packages = [...ordered.values()]
  return [...packages, packedProcesses(root, packages)]
}

/** The packages of these folders and those that they need, in the order of `packages`; all when no folder is given. */
export function packagesFor(packages, folders) {
  if (folders.length === 0) return packages
  const named = packages.filter(({ folder }) => folders.includes(folder))
  return packages.filter(each => named.includes(each) || named.some(({ needs }) => needs.includes(each.name)))
}

/** The file that Node runs for the process of a folder. */
export const entryIn = folder => (NOT_PACKED.has(folder) ? `${folder}/dist/main.js` : packedFile(folder))

const packedFile = folder => `${PACKED}/${path.basename(folder)}.js`

function packedProcesses(root, packages) {
  const packed = packages.filter(
    ({ folder }) => !NOT_PACKED.has(folder) && fs.existsSync(path.join(root, folder, 'src/main.ts')),
  )
  const needs = new Set(packed.flatMap(each => [...each.needs, each.name]))
  const processes = packed.map(({ folder }) => folder)
  return { name: 'packed processes', folder: PACKED, needs: [...needs], kind: 'packed', processes }
}

/** The source files that a package's own build reads, relative to its folder, tests left out. */
export function sourcesOf(root, { folder, kind }) {
  if (kind === 'packed') return []
  return filesBelow(path.join(root, folder)).filter(file => !TEST.test(file))
}

/**
 * The packages whose build is missing or was made from other sources. Files are compared by their content. Their times do not
 * count, because a checkout of another branch changes them.
 */
export function stalePackages(root, packages = readPackages(root)) {
  return packages.filter(
    each => readRecord(root, each) !== fingerprint(root, each, packages) || !isComplete(root, each),
  )
}

/** To be called before a package is built. Until `noteBuilt` is called, the package counts as not built. */
export function forgetBuilt(root, each) {
  fs.rmSync(recordOf(root, each), { force: true })
}

/** Records that a package was built from the sources with this fingerprint. */
export function noteBuilt(root, each, print) {
  fs.mkdirSync(path.dirname(recordOf(root, each)), { recursive: true })
  fs.writeFileSync(recordOf(root, each), print)
}

/** A hash of everything that a package's build reads. The web app and the packed processes also read the packages that they need. */
export function fingerprint(root, each, packages) {
  const hash = createHash('sha256')
  const read = file =>
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(path.join(root, file)))
      .update('\0')
  for (const file of TOOLCHAIN) read(file)
  const contained = each.kind === 'compiled' ? [] : packages.filter(({ name }) => each.needs.includes(name))
  for (const source of [each, ...contained])
    for (const file of sourcesOf(root, source)) read(path.join(source.folder, file))
  return hash.digest('hex')
}

/** The file that a build makes of a source file of a service, a lib or a tool; null for a file that is not compiled. */
export function outputOf(file) {
  return /^src\/.*\.ts$/.test(file) ? file.replace(/^src/, 'dist').replace(/\.ts$/, '.js') : null
}

const recordOf = (root, { folder }) => path.join(root, BUILD_RECORDS, 'records', `${folder}.sha256`)

function readRecord(root, each) {
  const file = recordOf(root, each)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

function isComplete(root, each) {
  return outputsOf(root, each).every(file => fs.existsSync(path.join(root, file)))
}

function outputsOf(root, each) {
  if (each.kind === 'packed') return each.processes.map(packedFile)
  const files = each.kind === 'web' ? ['dist/index.html'] : sourcesOf(root, each).map(outputOf).filter(Boolean)
  return files.map(file => path.join(each.folder, file))
}

function describe(root, folder) {
  const { name, dependencies = {} } = JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'))
  return { name, folder, dependencies: Object.keys(dependencies), kind: kindOf(root, folder) }
}

const kindOf = (root, folder) => (fs.existsSync(path.join(root, folder, 'vite.config.ts')) ? 'web' : 'compiled')

function subfolders(root, folder) {
  const names = fs.readdirSync(path.join(root, folder)).sort()
  return names.map(name => `${folder}/${name}`).filter(each => fs.existsSync(path.join(root, each, 'package.json')))
}

function filesBelow(folder, prefix = '') {
  const entries = fs
    .readdirSync(path.join(folder, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    const file = path.posix.join(prefix, entry.name)
    if (!entry.isDirectory()) return [file]
    return NOT_SOURCES.has(entry.name) ? [] : filesBelow(folder, file)
  })
}
