import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { peopleOf, RECORD_KINDS } from '@holdfast/contracts/record'
import { publicRoutes } from '@holdfast/contracts/routes'
import { example, operations } from '../support/openapi.js'
import { documents } from '../support/picture.js'
import { ADMINS, SIGNED_OUT } from './actors.js'
import { faultsOf, shapeOf } from './answers.js'
import { askStream } from './stream.js'

/**
 * @typedef {import('@holdfast/contracts/route').RouteDefinition} Route
 * @typedef {import('../support/openapi.js').Operation} Operation
 * @typedef {Awaited<ReturnType<typeof import('./records.js').makeRecords>> & { absentAnswers?: Map<string, Promise<string>> }} Records
 */

/** @type {Record<string, Route>} */
const ROUTES = publicRoutes
const ACTORS = ['visitor', 'signedOut', 'suspended', 'stranger', 'buyer', 'seller', ...ADMINS]
/** Requests at the same time. More are not faster. */
const AT_ONCE = 8
/** Webhooks have signatures, and a stream does not end: journeys of theirs test them. Here, a stream is refused to those without a session. */
/** @param {Route} route */
const isWebhook = ({ path }) => path.startsWith('/api/webhooks/')
const isStream = ({ path }) => path === '/api/events'
/**
 * They open or end the session of the person who sends them.
 *
 * @param {Route} route
 */
const changesOwnSession = ({ path, method, record }) => path.startsWith('/api/auth/') && method !== 'GET' && !record
/**
 * They are limited by address, and everybody here has the same. `e2e/api/every-route.js` asks each once.
 *
 * @param {Route} route
 */
const isForVisitors = ({ access, method, record }) =>
  (access === 'public' || access === 'visitor') && method !== 'GET' && !record

/**
 * The cells of the matrix: every public route × every actor × every record of the kind that the route names, an absent one too. What is
 * expected follows from the route's declared access alone.
 *
 * @param {Records} records
 * @param {RegExp} only selects routes by their name
 * @throws when a route names records of a kind of which the matrix has none
 */
async function cellsOf({ samples }, only) {
  const described = new Map((await operations()).map(operation => [operation.id, operation]))
  assert.deepEqual([...described.keys()].sort(), Object.keys(publicRoutes).sort(), 'the documentation has every route')
  const cells = []
  for (const [name, route] of Object.entries(ROUTES)) {
    if (isWebhook(route) || isForVisitors(route) || !only.test(name)) continue
    const { kind } = route.record ?? {}
    if (kind !== undefined)
      assert.ok(samples[kind], `${name} names records of the kind ${kind}: e2e/access/records.js must make one`)
    const records = kind === undefined ? [null] : [...samples[kind], ABSENT]
    for (const actor of ACTORS) {
      if ((changesOwnSession(route) || isStream(route)) && !SIGNED_OUT.includes(actor)) continue
      for (const record of records)
        cells.push({
          name,
          route,
          operation: described.get(name),
          actor,
          record,
          expected: expectedOf(route, actor, record),
        })
    }
  }
  return cells
}

const ABSENT = { title: 'nothing', values: {}, people: {} }

/**
 * `signIn`, `hidden` (as if the route did not exist), `absent`, `forbidden`, `allowed`, or `own` for a route that names no record.
 *
 * @param {Route} route
 * @param {string} actor
 * @param {any} sample the record, of which there is one when the route names records
 */
function expectedOf({ access, record }, actor, sample) {
  if (access === 'admin' && !ADMINS.includes(actor)) return 'hidden'
  if (access === 'user' && SIGNED_OUT.includes(actor)) return 'signIn'
  if (!record) return 'own'
  const person = sample.people[actor]
  /** @type {readonly string[]} */
  const mayKnow = RECORD_KINDS[record.kind]
  if (person === undefined || !mayKnow.includes(person)) return 'absent'
  return peopleOf(record).includes(person) ? 'allowed' : 'forbidden'
}

/**
 * Asks every cell in which nothing may change, and answers how many these are, and a line for each fault.
 *
 * @param {RegExp} [only] selects routes by their name
 */
export async function askRefusals(actors, records, only = /./) {
  const cells = (await cellsOf(records, only)).filter(cell => !changes(cell))
  return { cells: cells.length, faults: await askAtOnce(cells, actors, records) }
}

/** Whether a missing guard of these routes could change a record. */
export const canChange = only =>
  Object.entries(publicRoutes).some(([name, { method }]) => method !== 'GET' && only.test(name))

/** Asks the cells in which somebody changes what they may change, so that a refusal of everybody would be noticed. */
export async function askActs(actors, records) {
  // The admins are people of the demo. Other journeys look at what is their own.
  const isOfDemo = ({ actor, route }) => ADMINS.includes(actor) && route.access !== 'admin'
  const cells = (await cellsOf(records, /./)).filter(cell => changes(cell) && !isOfDemo(cell))
  const [ofNone, onRecords] = [cells.filter(({ record }) => !record), cells.filter(({ record }) => record)]
  const faults = await askAtOnce(ofNone, actors, records)
  for (const cell of onRecords.sort((a, b) => weightOf(a) - weightOf(b)))
    faults.push(...(await ask(cell, actors, records)))
  return { cells: cells.length, faults }
}

async function askAtOnce(cells, actors, records) {
  records.absentAnswers = new Map()
  const queue = [...cells]
  /** @type {string[]} */
  const faults = []
  const work = async () => {
    for (let cell = queue.shift(); cell; cell = queue.shift()) faults.push(...(await ask(cell, actors, records)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return faults
}

const changes = ({ route, expected }) => route.method !== 'GET' && ['allowed', 'own'].includes(expected)
/** Parties act before mediators. What ends a record comes last. */
const weightOf = ({ route, actor }) =>
  (['PATCH', 'DELETE'].includes(route.method) ? 2 : 0) + (ADMINS.includes(actor) ? 1 : 0)

async function ask(cell, actors, records) {
  const answer = await send(cell, actors, records)
  const title = `${cell.name} by ${cell.actor}${cell.record ? ` on ${cell.record.title}` : ''}`
  const absent = await absentAnswer(cell, actors, records)
  return faultsOf(cell, answer, records.marks, absent).map(fault => `${title}: ${fault}`)
}

/** What the same person is answered about a record that does not exist, asked once for each route and person. */
function absentAnswer(cell, actors, records) {
  if (cell.expected !== 'absent' || cell.record === ABSENT) return null
  const nothing = { ...ABSENT, values: cell.record.nothing ?? {} }
  const key = `${cell.name} ${cell.actor} ${JSON.stringify(nothing.values)}`
  const { absentAnswers } = records
  if (!absentAnswers.has(key)) absentAnswers.set(key, send({ ...cell, record: nothing }, actors, records).then(shapeOf))
  return absentAnswers.get(key)
}

function send({ operation, route, actor, record, expected }, actors, records) {
  if (isStream(route)) return askStream(actors[actor])
  const valueAt = name => record?.values[name] ?? absentValue(operation, name, records)
  const known = { ...KNOWN, ...valuesOf(actors[actor]) }
  const { namedBy } = route.record ?? {}
  if (namedBy) known[namedBy] = valueAt(namedBy)
  const needsKey = operation.parameters.some(each => each.in === 'header' && each.required)
  // Who must not learn of a route sends nothing that its schema allows: a route that looks at the body first would say so.
  const body = expected === 'hidden' ? {} : operation.body && example(operation.body, known)
  return actors[actor].call(operation.method, operation.at(valueAt) + queryOf(operation, known), {
    ...(operation.body ? { body } : {}),
    ...(needsKey ? { key: randomUUID() } : {}),
  })
}

const absentValue = (operation, name, { absent }) => {
  const parameter = operation.parameters.find(each => each.name === name && each.in === 'path')
  return name === 'id' && parameter?.schema.type === 'string' && parameter.schema.format === 'uuid'
    ? absent.uuid
    : absent[name]
}

/** Values of fields that cannot be derived from a schema. They are valid, so that a refusal is about the person and not about a field. */
const KNOWN = {
  ...documents(),
  amount: '120.00',
  refundAmount: '40.00',
  outcome: 'partial_refund',
  trackingNumber: 'HF00000001',
  status: 'cancelled',
  method: 'card',
  images: [],
  upTo: '01900000-0000-7000-8000-000000000000',
  ids: '01900000-0000-7000-8000-000000000000',
  // An adjustment between one account and itself is refused: the books of the product stay as they are.
  debit: 'revenue',
  credit: 'revenue',
  currency: 'USD',
  decision: 'rejected',
  digitalSignature: 'No Body',
  email: 'nobody@example.com',
  username: 'nobody.at.all',
  firstName: 'No',
  lastName: 'Body',
  password: 'not the password',
  q: 'sextant',
  category: 'general',
  type: 'no.such.event',
  signatureDate: new Date().toISOString(),
  price: '120.00',
  rating: 5,
  reporterId: null,
  senderId: null,
  isSuspended: true,
}
/** A person's own profile: another address would need the password. */
const valuesOf = ({ email, username, firstName, lastName }) =>
  email ? { email, username, firstName, lastName, phoneNumber: null } : {}

function queryOf({ parameters }, known) {
  const query = new URLSearchParams()
  for (const { name, schema, required, in: where } of parameters)
    if (where === 'query' && required) query.set(name, example(schema, known, name))
  return query.size ? `?${query}` : ''
}
