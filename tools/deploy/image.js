// `node tools/deploy/image.js <app> <folder>` puts into a folder what an image of a process contains besides its installed packages
// (Dockerfile). The build must have run. A process is a service (`escrow-svc`), `migrate` or `sandbox`.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { entryIn, PACKED, readPackages } from '../dev/built.js'
import { Failure } from '../dev/failure.js'
import { pack } from '../dev/pack.js'
import { ROOT } from '../dev/settings.js'

/** What npm reads to install the packages of one process. */
const MANIFESTS = ['package.json', 'package-lock.json', '.npmrc']
/** What a package needs to run: its code, and what the code of the web app, of the sandbox and of the contracts reads beside it. */
const RUNNING = ['dist', 'public', 'topology.json']

/**
 * Fills an empty folder for one process, with the same paths as in a checkout: the manifests, its packed code, the compiled
 * packages that it needs (migrations and commands for operators are run from them), and `main.js`, which starts it.
 *
 * @throws Failure when there is no such process
 */
export async function fillImage(app, target, root = ROOT) {
  const packages = readPackages(root)
  const own = packages.find(({ name }) => name === `@holdfast/${app}`)
  if (!own || !fs.existsSync(path.join(root, own.folder, 'src/main.ts'))) {
    throw new Failure(`There is no process "${app}": it is a service, migrate or sandbox.`)
  }
  const contained = packages.filter(({ name }) => name === own.name || own.needs.includes(name))
  if (app === 'gateway') contained.push(packages.find(({ kind }) => kind === 'web'))
  copyManifests(root, target, packages)
  for (const { folder } of contained) {
    for (const part of RUNNING) {
      const from = path.join(root, folder, part)
      if (fs.existsSync(from)) fs.cpSync(from, path.join(target, folder, part), { recursive: true })
    }
  }
  const entry = entryIn(own.folder)
  if (entry.startsWith(PACKED)) await pack(root, [own.folder], path.join(target, PACKED))
  fs.writeFileSync(path.join(target, 'main.js'), `import './${entry}'\n`)
}

/**
 * Every package's manifest, since npm compares all of them with the lockfile before it installs anything. Those of our packages name no
 * devDependencies: `--omit=dev` installs such a package nevertheless when another of our packages needs it to run.
 */
function copyManifests(root, target, packages) {
  for (const file of MANIFESTS) fs.cpSync(path.join(root, file), path.join(target, file))
  for (const { folder } of packages.filter(({ kind }) => kind !== 'packed')) {
    const { devDependencies: _, ...manifest } = JSON.parse(
      fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'),
    )
    fs.mkdirSync(path.join(target, folder), { recursive: true })
    fs.writeFileSync(path.join(target, folder, 'package.json'), JSON.stringify(manifest, null, 2))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await fillImage(process.argv[2], process.argv[3])
