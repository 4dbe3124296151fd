import { comparePlans, growthLines, keptPlans, onGrowing, readKept, unseenLines } from './plan-file.js'
import { PlanReader } from './plans.js'

const scan = (type, table, index) => ({
  'Node Type': type,
  'Relation Name': table,
  ...(index && { 'Index Name': index }),
})
const entry = (query, plan, application = 'escrow-svc') =>
  `2026-11-25 20:00:00.000 UTC [17] <${application}> LOG:  duration: 0.120 ms  plan:\n${JSON.stringify({ 'Query Text': query, Plan: plan }, null, 2).replace(/^/gm, '\t')}\n`
const OTHER = '2026-11-25 20:00:00.000 UTC [17] <> LOG:  checkpoint starting: time\n'

function plansIn(...texts) {
  const reader = new PlanReader()
  for (const text of texts) reader.read(text)
  reader.read(OTHER)
  return reader
}
const byId = { ...scan('Index Scan', 'deal', 'deal_pkey'), 'Shared Hit Blocks': 3, 'Shared Read Blocks': 1 }
const joined = { 'Node Type': 'Nested Loop', 'Join Type': 'Left', Plans: [byId, scan('Seq Scan', 'posting')] }

test('plans are found by statement, whatever the numbers of parameters and the parts in which the log is read', () => {
  const log =
    entry('SELECT *\n FROM deal WHERE id IN ($1, $2)', byId) +
    OTHER +
    entry('SELECT * FROM deal WHERE id IN ($1, $2, $3)', byId)
  const { found, lost } = plansIn(log.slice(0, 100), log.slice(100, 333), log.slice(333))
  expect(lost).toBe(0)
  expect([...found.values()]).toEqual([
    expect.objectContaining({
      application: 'escrow',
      text: 'SELECT * FROM deal WHERE id IN ($…)',
      calls: 2,
      blocks: 8,
    }),
  ])
})

test('a plan is drawn without numbers, and says which tables are read from end to end', () => {
  const [plan] = plansIn(entry('SELECT 1', joined)).found.values()
  expect([...plan.shapes.keys()]).toEqual([
    'Left Nested Loop\n  Index Scan by deal_pkey on deal\n  Seq Scan on posting',
  ])
  expect([...plan.scanned]).toEqual(['posting'])
})

test('an entry of which a part is lost is counted and left out', () => {
  const reader = plansIn(entry('SELECT 1', byId).slice(0, 150), `\n${OTHER}`)
  expect([reader.lost, reader.found.size]).toEqual([1, 0])
})

test('the file keeps what a run has found, and what it had before', () => {
  const { found } = plansIn(entry('SELECT 1', byId), entry('SELECT 1', joined), entry('SELECT 2', byId))
  const kept = readKept(keptPlans(found))
  expect([...kept.values()].map(shapes => shapes.size).sort()).toEqual([1, 2])
  const more = readKept(keptPlans(plansIn(entry('SELECT 2', joined), entry('SELECT 3', byId)).found, keptPlans(found)))
  expect([...more.values()].map(shapes => shapes.size).sort()).toEqual([1, 2, 2])
  expect(comparePlans(found, new Map([['escrow.posting', 10]]), kept)).toEqual([])
})

test('a statement or a plan that is not kept is a fault, and so is a table of many rows that is read from end to end', () => {
  const { found } = plansIn(entry('SELECT 1', byId))
  const kept = readKept(keptPlans(found))
  const later = plansIn(entry('SELECT 1', joined), entry('SELECT new', joined)).found
  const faults = comparePlans(later, new Map([['escrow.posting', 50_000]]), kept)
  expect(faults.map(fault => fault.split(':')[0])).toEqual([
    'reads all of posting',
    'has another plan',
    'reads all of posting',
    'is not in plans.txt, to which --keep-plans adds it',
  ])
})

test('a kept statement that was not executed is named', () => {
  const kept = keptPlans(plansIn(entry('SELECT 1', byId), entry('SELECT 2', byId)).found)
  expect(unseenLines(plansIn(entry('SELECT 2', joined)).found, kept)).toEqual([
    expect.stringMatching(/^was not executed: # escrow \w+ SELECT 1$/),
  ])
})

test('a statement that reads many more pages in a larger world is named', () => {
  const small = plansIn(entry('SELECT 1', byId), entry('SELECT 2', byId)).found
  const large = plansIn(entry('SELECT 1', { ...byId, 'Shared Hit Blocks': 400 }), entry('SELECT 2', byId)).found
  expect(growthLines(small, large)).toEqual([
    expect.stringMatching(/^4 → 401 pages a call, 1 calls: # escrow \w+ SELECT 1$/),
  ])
})

test('statements on tables that stay small are left out', () => {
  const { found } = plansIn(
    entry('SELECT 1', byId),
    entry('SELECT 2', joined),
    entry('SELECT 3', byId, 'gateway-events'),
  )
  const sizes = new Map([
    ['escrow.posting', 50_000],
    ['escrow.deal', 10],
    ['events.deal', 50_000],
  ])
  expect([...onGrowing(found, sizes).values()].map(({ text }) => text)).toEqual(['SELECT 2', 'SELECT 3'])
})
