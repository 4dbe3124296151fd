import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fingerprint, forgetBuilt, noteBuilt, readPackages, sourcesOf, stalePackages } from './built.js'
import { ROOT } from './settings.js'

const PACKED = 'packed processes'

let root
const write = (file, text) => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), text)
}
const names = packages => packages.map(({ name }) => name)

/** Records every package as built, as a build does. */
function buildAll() {
  const packages = readPackages(root)
  for (const folder of ['libs/kernel', 'libs/contracts', 'apps/a-svc']) write(`${folder}/dist/index.js`, '')
  write('apps/a-svc/dist/main.js', '')
  write('.build/packed/a-svc.js', '')
  write('apps/web/dist/index.html', '')
  for (const each of packages) noteBuilt(root, each, fingerprint(root, each, packages))
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-built-'))
  write('package.json', JSON.stringify({ workspaces: ['apps/*', 'libs/*'] }))
  for (const file of ['package-lock.json', '.swcrc', 'tools/dev/build-packages.js', 'tools/dev/pack.js'])
    write(file, '')
  const dependsOn = {
    'apps/a-svc': ['contracts'],
    'apps/web': ['contracts'],
    'libs/contracts': ['kernel'],
    'libs/kernel': [],
  }
  for (const [folder, needs] of Object.entries(dependsOn)) {
    const dependencies = Object.fromEntries(needs.map(name => [`@holdfast/${name}`, '0.1.0']))
    write(`${folder}/package.json`, JSON.stringify({ name: `@holdfast/${path.basename(folder)}`, dependencies }))
    write(`${folder}/src/index.ts`, 'export const answer = 1')
  }
  write('apps/a-svc/src/main.ts', '')
  write('apps/web/vite.config.ts', '')
})
afterEach(() => fs.rmSync(root, { recursive: true }))

describe('readPackages', () => {
  it('puts a package after those that it depends on, and knows the indirect ones', () => {
    const packages = readPackages(root)
    expect(names(packages)).toEqual([
      '@holdfast/kernel',
      '@holdfast/contracts',
      '@holdfast/a-svc',
      '@holdfast/web',
      PACKED,
    ])
    expect(packages.at(-2)).toMatchObject({ kind: 'web', needs: ['@holdfast/kernel', '@holdfast/contracts'] })
  })

  it('finds the packages of this checkout', () => {
    expect(names(readPackages(ROOT))).toEqual(expect.arrayContaining(['@holdfast/escrow-svc', '@holdfast/web']))
  })
})

describe('stalePackages', () => {
  it('are all of them before the first build, and none after it', () => {
    expect(stalePackages(root)).toHaveLength(5)
    buildAll()
    expect(stalePackages(root)).toEqual([])
  })

  it('are the changed one and those that contain it, but not a lib that imports it', () => {
    buildAll()
    write('libs/kernel/src/index.ts', 'export const answer = 2')
    expect(names(stalePackages(root))).toEqual(['@holdfast/kernel', '@holdfast/web', PACKED])
  })

  it('contain one in which a file was renamed', () => {
    buildAll()
    fs.renameSync(path.join(root, 'apps/a-svc/src/index.ts'), path.join(root, 'apps/a-svc/src/other.ts'))
    expect(names(stalePackages(root))).toEqual(['@holdfast/a-svc', PACKED])
  })

  it('contain the packed processes when one of them is missing', () => {
    buildAll()
    fs.rmSync(path.join(root, '.build/packed/a-svc.js'))
    expect(names(stalePackages(root))).toEqual([PACKED])
  })

  it('contain one whose output is missing, and one whose build was begun and not finished', () => {
    buildAll()
    fs.rmSync(path.join(root, 'apps/a-svc/dist'), { recursive: true })
    forgetBuilt(root, readPackages(root)[0])
    expect(names(stalePackages(root))).toEqual(['@holdfast/kernel', '@holdfast/a-svc'])
  })

  it('are all of them after a change of the toolchain', () => {
    buildAll()
    write('package-lock.json', '{}')
    expect(stalePackages(root)).toHaveLength(5)
  })

  it('are none after a file was only touched, or a test changed', () => {
    buildAll()
    fs.utimesSync(path.join(root, 'libs/kernel/src/index.ts'), new Date(), new Date())
    write('libs/kernel/src/index.spec.ts', 'a test')
    expect(stalePackages(root)).toEqual([])
  })
})

describe('sourcesOf', () => {
  it('leaves out tests, outputs and packages', () => {
    write('libs/kernel/dist/index.js', '')
    write('libs/kernel/node_modules/a/index.js', '')
    write('libs/kernel/test/fixture.ts', '')
    expect(sourcesOf(root, { folder: 'libs/kernel', kind: 'libs' })).toEqual(['package.json', 'src/index.ts'])
  })
})
