import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findBrokenImportRules, importsOf } from './import-rules.js'

let root
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-imports-'))
  for (const name of [
    'libs/kernel',
    'libs/events',
    'libs/test-database',
    'libs/testing',
    'apps/web',
    'apps/escrow-svc',
    'apps/listing-svc',
    'tools/migrate',
    'tools/sandbox',
    'e2e',
  ]) {
    fs.mkdirSync(path.join(root, name), { recursive: true })
    fs.writeFileSync(path.join(root, name, 'package.json'), '{}')
  }
})
afterEach(() => fs.rmSync(root, { recursive: true }))

function write(file, from, { type = false } = {}) {
  const target = path.join(root, file)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target, `import ${type ? 'type ' : ''}{ x } from '${from}'\n`)
  return findBrokenImportRules(root)
}

describe('the rules of imports', () => {
  it('find static, exported, bare and lazy imports, and nothing else', () => {
    const text = [
      "import { a,\n  type B } from './a.js'",
      "export type { C } from './c.js'",
      "import './d.js'",
      "const e = await import('./e.js')",
      "export const notOne = 'from'",
      "export function neither() {\n  return 'from'\n}",
    ].join('\n')
    expect(importsOf(text)).toEqual([
      { from: './a.js', typeOnly: false },
      { from: './c.js', typeOnly: true },
      { from: './d.js', typeOnly: false },
      { from: './e.js', typeOnly: false },
    ])
  })

  it.each([
    [
      'an app that imports another',
      'apps/escrow-svc/src/a.ts',
      '@holdfast/listing-svc/listings',
      'no package imports an app',
    ],
    ['a library that imports an app', 'libs/events/src/a.ts', '@holdfast/escrow-svc/app', 'no package imports an app'],
    ['a domain folder that does I/O', 'apps/escrow-svc/src/deals/domain/a.ts', 'pg', 'domain folder'],
    [
      'a domain folder that imports from outside itself',
      'apps/escrow-svc/src/deals/domain/a.ts',
      '../deals.service.js',
      'domain folder',
    ],
    ['production code that uses a fixture', 'apps/escrow-svc/src/a.ts', '@holdfast/testing/users', 'only tests'],
    [
      'production code that uses a database for tests',
      'libs/events/src/a.ts',
      '@holdfast/test-database/a',
      'only tests',
    ],
    [
      'a test that uses a service which is not its own',
      'apps/escrow-svc/test/a.ts',
      '@holdfast/listing-svc/listings',
      'no package imports an app',
    ],
    [
      'a service that uses the plan of another',
      'apps/escrow-svc/src/a.ts',
      '@holdfast/listing-svc/migrations/plan',
      'no package imports an app',
    ],
    [
      'a service that reaches into another',
      'apps/escrow-svc/src/deals/a.ts',
      '../../../listing-svc/src/a.js',
      'stays in its package',
    ],
    ['a library that reaches into another', 'libs/events/src/a.ts', '../../kernel/src/a.js', 'stays in its package'],
    [
      'a test that reaches into another package',
      'apps/escrow-svc/test/a.ts',
      '../../../libs/events/test/a.js',
      'stays in its package',
    ],
    ['a journey that reaches into the product', 'e2e/api/a.js', '../../apps/web/src/a.js', 'stays in its package'],
    ['a service that uses a tool', 'apps/escrow-svc/src/a.ts', '@holdfast/sandbox/app', 'only tests'],
    [
      'a component that imports a feature',
      'apps/web/src/components/a.tsx',
      '../features/deal/shared/b.js',
      'app → features → components → lib',
    ],
    ['a page of the app in a feature', 'apps/web/src/features/deal/a.tsx', '../../app/b.js', 'app → features'],
    ['a layer that imports a component above it', 'apps/web/src/lib/a.ts', '../components/b.js', 'components → lib'],
    [
      'a feature that reaches into another',
      'apps/web/src/features/deal/a.tsx',
      '../shipping/b.js',
      'only from its shared/ folder',
    ],
  ])('refuse %s', (_, file, from, problem) => {
    expect(write(file, from)).toEqual([expect.stringContaining(problem)])
  })

  it.each([
    ['an app on a library', 'apps/escrow-svc/src/a.ts', '@holdfast/events/outbox'],
    ['the migrations on a plan of a service', 'tools/migrate/src/a.ts', '@holdfast/listing-svc/migrations/plan'],
    [
      'a test of two services on the plan of the other',
      'apps/escrow-svc/test/a.ts',
      '@holdfast/listing-svc/migrations/plan',
    ],
    ['a domain folder on the kernel', 'apps/escrow-svc/src/deals/domain/a.ts', '@holdfast/kernel/money'],
    ['a domain folder on its neighbour', 'apps/escrow-svc/src/deals/domain/a.ts', './fees.js'],
    ['a test of a domain folder on anything', 'apps/escrow-svc/src/deals/domain/a.spec.ts', 'fast-check'],
    ['a test on the code beside it', 'apps/escrow-svc/test/a.ts', '../src/deals/a.js'],
    ['a journey on its neighbour', 'e2e/api/a.js', '../support/a.js'],
    ['what tests share on a fixture', 'apps/escrow-svc/test/a.ts', '@holdfast/testing/users'],
    ['what tests share on a tool', 'apps/escrow-svc/test/a.ts', '@holdfast/sandbox/app'],
    ['a fixture on a fixture', 'libs/testing/src/a.ts', '@holdfast/test-database/a'],
    ['a test on a fixture', 'apps/escrow-svc/src/a.spec.ts', '@holdfast/testing/users'],
    ['a feature on what another shares', 'apps/web/src/features/deal/a.tsx', '../shipping/shared/b.js'],
    ['a shared file on the rest of its feature', 'apps/web/src/features/deal/shared/a.tsx', '../b.js'],
    ['a feature on a component', 'apps/web/src/features/deal/a.tsx', '../../components/b.js'],
    ['the app on a page', 'apps/web/src/app/a.tsx', '../features/deal/deal-page.js'],
    ['a test of a feature on the app', 'apps/web/src/features/deal/a.spec.tsx', '../../app/protected.js'],
  ])('allow %s', (_, file, from) => {
    expect(write(file, from)).toEqual([])
  })

  it('skip generated files, and scripts that are not a package', () => {
    expect(write('apps/escrow-svc/dist/a.js', '../../listing-svc/dist/a.js')).toEqual([])
    expect(write('apps/escrow-svc/node_modules/a/b.js', '../../../../x.js')).toEqual([])
    expect(write('tools/bench/a.js', '../dev/b.js')).toEqual([])
  })

  it('allow a domain folder any type', () => {
    expect(write('apps/escrow-svc/src/deals/domain/a.ts', '@holdfast/events/outbox', { type: true })).toEqual([])
  })
})
