import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { transformSync } from '@swc/core'

const PACK = new URL('./pack.js', import.meta.url).href

let root
const write = (file, text) => {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), text)
}

/** Writes a TypeScript file and what the compiler makes of it. */
function compiled(name, text) {
  write(`app/src/${name}.ts`, text)
  const { code, map } = transformSync(text, {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    sourceMaps: true,
    sourceFileName: `../src/${name}.ts`,
  })
  write(`app/dist/${name}.js`, `${code}\n//# sourceMappingURL=${name}.js.map\n`)
  write(`app/dist/${name}.js.map`, map)
}

beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pack-')))
  write('node_modules/dep/package.json', '{ "type": "module", "exports": "./index.js" }')
  write('node_modules/dep/index.js', 'export class Deal {}\nglobalThis.imported = true')
  compiled(
    'main',
    `import { Deal as Theirs } from 'dep'
import { Deal, fail } from './deal.js'
const missing = await import('a-package-that-is-not-there').catch((error: Error) => error.message)
const stack = await fail().catch((error: Error) => error.stack)
console.log(JSON.stringify({ names: [Deal.name, Theirs.name], missing, stack }))
`,
  )
  compiled(
    'deal',
    `export class Deal {}\n\nexport async function fail(): Promise<void> {\n  throw new Error('no')\n}\n`,
  )
  // In a process of its own, as in a build, so that what the bundler prints to stderr can be checked.
  const script = `const { pack } = await import(process.argv[1]); await pack(process.argv[2], ['app'], process.argv[2] + '/packed')`
  const args = ['--input-type=module', '-e', script, PACK, root]
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
})
afterAll(() => fs.rmSync(root, { recursive: true }))

describe('a packed process', () => {
  it('runs without the files of its packages, keeps the names of classes, and names the line of TypeScript of an error', () => {
    fs.rmSync(path.join(root, 'node_modules'), { recursive: true })
    const main = path.join(root, 'packed/app.js')
    const { stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', main], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const { names, missing, stack } = JSON.parse(stdout)
    expect(names).toEqual(['Deal', 'Deal'])
    expect(missing).toContain("Cannot find package 'a-package-that-is-not-there'")
    expect(stack).toContain(path.join(root, 'app/src/deal.ts:4'))
  })

  it('has no source maps of its packages, which Node would read at each start', () => {
    const files = fs.readdirSync(path.join(root, 'packed/packages'))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter(name => name.endsWith('.map'))).toEqual([])
  })
})
