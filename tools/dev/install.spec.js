import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { EVERYTHING, isInstalled, PRODUCT } from './install.js'

let folder
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-install-'))
  fs.mkdirSync(path.join(folder, 'node_modules'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

const wanted = {
  '': { name: 'holdfast' },
  'libs/kernel': { version: '0.1.0' },
  'node_modules/@holdfast/kernel': { resolved: 'libs/kernel', link: true },
  'node_modules/zod': { version: '4.6.7' },
  'apps/a/node_modules/p-limit': { version: '7.3.3' },
  'node_modules/mine': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
  'node_modules/theirs': { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] },
  'node_modules/jest': { version: '30.5.2', dev: true },
  'node_modules/wasm': { version: '1.0.0', optional: true },
}
const present = {
  'node_modules/jest': { version: '30.5.2' },
  'node_modules/zod': { version: '4.6.7' },
  'apps/a/node_modules/p-limit': { version: '7.3.3' },
  'node_modules/mine': { version: '1.0.0' },
}

function lay(lockfile, list) {
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: lockfile }))
  if (list) fs.writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: list }))
}

describe('isInstalled', () => {
  it("is true for what npm's own list names, without the packages of other systems", () => {
    lay(wanted, present)
    expect(isInstalled(folder, EVERYTHING)).toBe(true)
  })

  it('is false before the first install, and after one that was cut short and left no list', () => {
    lay(wanted)
    expect(isInstalled(folder, EVERYTHING)).toBe(false)
  })

  it.each(['node_modules/zod', 'apps/a/node_modules/p-limit', 'node_modules/mine'])('is false without %s', name => {
    lay(wanted, { ...present, [name]: undefined })
    expect(isInstalled(folder, EVERYTHING)).toBe(false)
  })

  it('asks for what only tests need when tests are to run, and not to start the product', () => {
    lay(wanted, { ...present, 'node_modules/jest': undefined })
    expect(isInstalled(folder, PRODUCT)).toBe(true)
    expect(isInstalled(folder, EVERYTHING)).toBe(false)
  })

  it('is false when the lockfile moved on', () => {
    lay({ ...wanted, 'node_modules/zod': { version: '4.7.0' } }, present)
    expect(isInstalled(folder, EVERYTHING)).toBe(false)
  })

  it('of this very checkout is true, since its tests run', () => {
    expect(isInstalled(process.cwd(), EVERYTHING)).toBe(true)
  })
})

it('the lockfile names the compiled code of packages for every system on which the product is promised to start', () => {
  const PROMISED = /-(darwin|linux)-(arm64|x64)(-gnu|-musl)?$/
  // Without its compiled code, msgpackr uses JavaScript.
  const REPLACED = ['node_modules/msgpackr-extract']
  const { packages } = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const names = Object.keys(packages).map(place => place.split('node_modules/').at(-1))
  const wanted = Object.entries(packages)
    .filter(([place]) => !REPLACED.includes(place))
    .flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
    .filter(name => PROMISED.test(name))
  expect(wanted).toContain('@tailwindcss/oxide-darwin-arm64')
  expect(wanted.filter(name => !names.includes(name))).toEqual([])
})
