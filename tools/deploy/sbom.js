// `node sbom.js <folder>` prints what npm has installed there, as a CycloneDX list. It reads npm's own record of the installation:
// `npm sbom` compares the folder with the manifests of the whole workspace, of which an image has only a part, and refuses; from the
// lockfile alone it lists other packages than those that were installed.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const MODULES = 'node_modules/'

/** The installed packages of a folder as a CycloneDX 1.5 document, sorted by their places. Our own packages are links and no part of it. */
export function listInstalled(folder) {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const record = JSON.parse(fs.readFileSync(path.join(folder, MODULES, '.package-lock.json'), 'utf8'))
  const places = Object.keys(record.packages).filter(place => place.includes(MODULES) && !record.packages[place].link)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components: places.sort().map(place => componentOf(place, record.packages[place])),
  }
}

function componentOf(place, { name: alias, version, license, integrity }) {
  const name = alias ?? place.slice(place.lastIndexOf(MODULES) + MODULES.length)
  return {
    type: 'library',
    'bom-ref': place,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license ? { licenses: [licenseOf(license)] } : {}),
    ...(integrity ? { hashes: [hashOf(integrity)] } : {}),
  }
}

/** A single license by its name; several as an expression such as `(MIT OR Apache-2.0)`. */
const licenseOf = license => (/\s/.test(license) ? { expression: license } : { license: { name: license } })

/** npm writes `sha512-` and base64, CycloneDX `SHA-512` and hexadecimal digits. */
function hashOf(integrity) {
  const [algorithm, digest] = integrity.split('-')
  return { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdout.write(`${JSON.stringify(listInstalled(process.argv[2] ?? '.'), null, 2)}\n`)
}
