import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { publicRoutes } from '@holdfast/contracts/routes'
import { PROVIDER_EVENT_RUNBOOKS, STUCK_RUNBOOKS } from '@holdfast/kernel/admin'
import { commandsOf, RUNBOOKS } from '../../e2e/support/runbooks.js'
import { ROOT } from '../dev/settings.js'
import { exportedMetrics, knownMetrics, metricsIn, sources, unknownLabelsIn } from './exported-metrics.js'
import { anchorsOf, queriesOf } from './runbooks.js'

const known = knownMetrics()
const exported = exportedMetrics()
const paths = new Set(Object.values(publicRoutes).map(route => route.path.replace(/\{\w+\}/g, '*')))
const PAGES = Object.entries(RUNBOOKS)

// The SQL of the pages runs in tools/migrate/src/runbooks.integration.spec.ts, and runbook-commands.spec.js says where their commands run.
describe.each(PAGES)('the runbook %s', (page, text) => {
  it('leads to pages and sections that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, file, anchor]) => {
      const target = path.join(ROOT, 'docs/runbooks', file || page)
      if (!fs.existsSync(target)) return `${file} does not exist`
      if (anchor !== undefined && !anchorsOf(fs.readFileSync(target, 'utf8')).includes(anchor))
        return `${file} has no section ${anchor}`
      return null
    })
    expect(links.filter(problem => problem !== null)).toEqual([])
  })

  it('has commands that a shell reads', () => {
    for (const block of commandsOf(text)) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: block.replace(/<[\w-]+>/g, 'x'), encoding: 'utf8' })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    }
  })

  it('names scripts that exist', () => {
    const scripts = [...text.matchAll(/\bnode ((?:apps|libs|tools)\/[\w./-]+)\.js\b/g)].map(([, script]) => script)
    // A packed script is built from a source.
    const sources = scripts.map(script =>
      script.includes('/dist/') ? `${script.replace('/dist/', '/src/')}.ts` : `${script}.js`,
    )
    expect(sources.filter(file => !fs.existsSync(path.join(ROOT, file)))).toEqual([])
  })

  it('names routes that exist', () => {
    const named = [
      ...commandsOf(text).flatMap(block => [...block.matchAll(/\$HOLDFAST(\/api\/[\w/<>-]+)/g)]),
      ...text.matchAll(/`(?:GET|POST|PUT|PATCH|DELETE) (\/api\/[\w/{}<>-]+)`/g),
    ].map(([, route]) => route.replace(/<\w+>|\{\w+\}/g, '*'))
    expect(named.filter(route => !paths.has(route))).toEqual([])
  })

  it('names metrics and labels that exist', () => {
    const named = [...text.matchAll(/`([a-z]+(?:_[a-z0-9]+)*_(?:total|seconds|bytes))(?:\{[^`]*)?`/g)].map(
      ([, name]) => name,
    )
    // A histogram is named as a whole.
    const exists = name => known.has(name) || known.has(`${name}_bucket`)
    const queries = queriesOf(text)
    expect([...named, ...queries.flatMap(metricsIn)].filter(name => !exists(name))).toEqual([])
    expect(queries.flatMap(query => unknownLabelsIn(query, exported))).toEqual([])
  })
})

it('the page of the console names each kind of a stuck case with its runbook', () => {
  const rows = RUNBOOKS['the-console.md'].matchAll(/^\| `(\w+)`: .*\]\(([^)]+)\) \|$/gm)
  expect(Object.fromEntries([...rows].map(([, kind, page]) => [kind, page]))).toEqual(STUCK_RUNBOOKS)
})

it('the page of provider events names each reason with its runbook first', () => {
  const rows = RUNBOOKS['provider-events.md'].matchAll(/^\| `(\w+)` \|.*\| .*?\]\(([^)]+)\).* \|$/gm)
  expect(Object.fromEntries([...rows].map(([, why, page]) => [why, page]))).toEqual(PROVIDER_EVENT_RUNBOOKS)
})

it('a log that asks for an operator is in a runbook', () => {
  const pages = Object.values(RUNBOOKS).join('\n').replace(/\s+/g, ' ')
  // A log begins in lower case. The description of a metric does not.
  const logs = sources().flatMap(file =>
    [...fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(/'([a-z][^'\n]+): an operator must /g)].map(
      ([, log]) => log,
    ),
  )
  expect(logs).not.toEqual([])
  expect(logs.filter(log => !pages.includes(log))).toEqual([])
})

it('a runbook is in the index', () => {
  const index = RUNBOOKS['README.md']
  expect(Object.keys(RUNBOOKS).filter(page => page !== 'README.md' && !index.includes(`](${page})`))).toEqual([])
})
