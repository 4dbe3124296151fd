import { findBrokenProjectRules } from './project-rules.js'

/** The graph of two projects, of which one imports the other and a package of npm. */
const importing = (from, to) => ({
  nodes: { [from]: { data: { root: from } }, [to]: { data: { root: to } } },
  dependencies: { [from]: [{ target: to }, { target: 'npm:zod' }], [to]: [] },
})

it.each([
  ['libs/kernel', 'libs/events'],
  ['libs/events', 'apps/escrow-svc'],
  ['libs/events', 'tools/dev'],
  ['apps/web', 'libs/events'],
  ['apps/escrow-svc', 'tools/bench'],
])('%s must not import %s', (from, to) => {
  expect(findBrokenProjectRules(importing(from, to))).toEqual([
    expect.stringContaining(`${from}: must not import ${to}`),
  ])
})

it.each([
  ['libs/events', 'libs/kernel'],
  ['libs/events', 'tools/engines'],
  ['apps/web', 'libs/kernel'],
  ['apps/escrow-svc', 'libs/events'],
  ['apps/escrow-svc', 'tools/sandbox'],
  ['tools/backup', 'apps/escrow-svc'],
])('%s may import %s', (from, to) => {
  expect(findBrokenProjectRules(importing(from, to))).toEqual([])
})
