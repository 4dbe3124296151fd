// `npm run build`: builds every package whose sources have changed since its last build. With folders as arguments, such as
// `apps/escrow-svc`, it builds only these packages and those that they depend on; with `--alone` before a folder only this package, as
// Nx asks for, which has built the others. Prints one line for each.
import fs from 'node:fs'
import path from 'node:path'
import { transformFile } from '@swc/core'
import {
  fingerprint,
  forgetBuilt,
  noteBuilt,
  outputOf,
  packagesFor,
  readPackages,
  sourcesOf,
  stalePackages,
} from './built.js'
import { ROOT } from './settings.js'

// Vite takes the mode of the build from this. A test that starts a build has another value, which would build React for development.
process.env.NODE_ENV = 'production'

// Rolldown and Vite are only loaded when there is something for them to do.
const BUILDS = {
  compiled: compile,
  async packed(folder, { processes }) {
    const { pack } = await import('./pack.js')
    await pack(ROOT, processes, folder)
  },
  async web(folder) {
    const { build } = await import('vite')
    await build({ root: folder, logLevel: 'warn' })
  },
}

const packages = readPackages(ROOT)
const [first, ...others] = process.argv.slice(2)
const wanted =
  first === '--alone'
    ? packages.filter(({ folder }) => others.includes(folder))
    : packagesFor(packages, process.argv.slice(2))
const stale = stalePackages(ROOT, packages).filter(each => wanted.includes(each))

// What is compiled comes first: the other builds read it.
const isCompiled = ({ kind }) => kind === 'compiled'
for (const each of [...stale.filter(isCompiled), ...stale.filter(each => !isCompiled(each))]) {
  process.stdout.write(`${each.folder}\n`)
  const print = fingerprint(ROOT, each, packages)
  forgetBuilt(ROOT, each)
  await BUILDS[each.kind](path.join(ROOT, each.folder), each)
  noteBuilt(ROOT, each, print)
}

/** Compiles every source file by itself, and removes what other sources left in `dist`. */
async function compile(folder, each) {
  const sources = sourcesOf(ROOT, each).filter(file => outputOf(file) !== null)
  const outputs = await Promise.all(sources.map(file => compileFile(folder, file)))
  removeOthers(path.join(folder, 'dist'), new Set(outputs.flatMap(file => [file, `${file}.map`])))
}

async function compileFile(folder, file) {
  const output = path.join(folder, outputOf(file))
  const { code, map } = await transformFile(path.join(folder, file), {
    swcrc: false,
    configFile: path.join(ROOT, '.swcrc'),
    sourceFileName: path.relative(path.dirname(output), path.join(folder, file)),
  })
  fs.mkdirSync(path.dirname(output), { recursive: true })
  fs.writeFileSync(output, `${code}\n//# sourceMappingURL=${path.basename(output)}.map\n`)
  fs.writeFileSync(`${output}.map`, map ?? '')
  return output
}

function removeOthers(folder, kept) {
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name)
    if (fs.statSync(file).isFile() && !kept.has(file)) fs.rmSync(file)
  }
}
