import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Failure } from './failure.js'
import { checkPageWeights, MAX_SCRIPT_BYTES, weighPages } from './page-weight.js'

let dist

/** Text that gzip cannot make much shorter. */
const incompressible = bytes => Array.from({ length: bytes }, () => Math.random().toString(36)[5] ?? 'x').join('')

beforeAll(() => {
  dist = fs.mkdtempSync(path.join(os.tmpdir(), 'page-weight-'))
  const write = (file, content) => {
    fs.mkdirSync(path.dirname(path.join(dist, file)), { recursive: true })
    fs.writeFileSync(path.join(dist, file), content)
  }
  write(
    'index.html',
    `<script type="module" crossorigin src="/assets/entry.js"></script>
     <link rel="modulepreload" crossorigin href="/assets/shared.js">
     <link rel="stylesheet" crossorigin href="/assets/all.css">
     <link rel="preload" href="/assets/text.woff2" as="font">`,
  )
  write('assets/text.woff2', 'x'.repeat(500))
  for (const name of ['entry', 'shared', 'light', 'dialog', 'admin-users', 'console-frame'])
    write(`assets/${name}.js`, name.repeat(50))
  write('assets/heavy.js', incompressible(4 * MAX_SCRIPT_BYTES))
  write('assets/all.css', 'body {}')
  const page = name => ({
    file: `assets/${name}.js`,
    name: `${name}-page`,
    isDynamicEntry: true,
    imports: ['index.html'],
  })
  const manifest = {
    'index.html': { file: 'assets/entry.js', name: 'entry', isEntry: true, imports: ['_shared.js'] },
    '_shared.js': { file: 'assets/shared.js', name: 'shared', imports: ['index.html'] },
    'light-page.tsx': page('light'),
    'heavy-page.tsx': page('heavy'),
    'admin-users-page.tsx': page('admin-users'),
    'console-frame.tsx': { ...page('console-frame'), name: 'console-frame' },
    'dialog.tsx': { ...page('dialog'), name: 'dialog' },
  }
  write('.vite/manifest.json', JSON.stringify(manifest))
})
afterAll(() => fs.rmSync(dist, { recursive: true }))

const gzipped = name => gzipSync(fs.readFileSync(path.join(dist, 'assets', name)), { level: 9 }).length

test('the weight of a page is what it loads before it is shown, each file once', () => {
  expect(weighPages(dist).find(({ page }) => page === 'light')).toEqual({
    page: 'light',
    script: gzipped('entry.js') + gzipped('shared.js') + gzipped('light.js'),
    style: gzipped('all.css'),
    font: 500,
    files: 3,
  })
})

test("a page of the operator's console loads the console's frame, too", () => {
  expect(weighPages(dist).find(({ page }) => page === 'admin-users')).toMatchObject({ files: 4 })
})

test('a page that is too heavy fails the check by name', () => {
  expect(() => checkPageWeights(dist)).toThrow(Failure)
  expect(weighPages(dist).map(({ page }) => page)).toEqual(['heavy', 'admin-users', 'light'])
})
