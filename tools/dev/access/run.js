import pg from 'pg'
import { Failure } from '../failure.js'
import { phase, say, seconds } from '../output.js'
import { changedSource, packChanged, removeChanged } from './change.js'
import { GuardedProduct } from './guarded-product.js'
import { MUTATIONS } from './mutations.js'

const DEMO_PASSWORD = 'holdfast-demo'
const DAY_MS = 86_400_000

/**
 * Tries mutations: each must make the matrix fail.
 *
 * @returns {Promise<import('../suites.js').Outcome>}
 * @param {{ only?: string, from?: string, count?: number }} options `only` selects by name, `from` names the first; with `count`, that many
 * of today
 */
export async function provesMutations(processes, undo, { only = '', from = '', count } = {}) {
  for (const mutation of MUTATIONS) changedSource(mutation)
  const chosen =
    count === undefined
      ? MUTATIONS.slice(firstNamed(from)).filter(({ name }) => name.includes(only))
      : chosenToday(count)
  if (chosen.length === 0) throw new Failure(`No mutation is named "${only}".`)
  undo.push(removeChanged)
  const { product, matrix } = await startWithAdmins(processes, undo)
  const outcome = { passed: 0, failures: [] }
  let world = null
  for (const [i, mutation] of chosen.entries()) {
    const start = performance.now()
    const [entries, made] = await Promise.all([packChanged(mutation), world ?? matrix.makeWorld()])
    world = matrix.leavesWorld(mutation) ? made : null
    await product.restart(entries)
    // A product that fails on every request would also be noticed. That shows nothing about the guard.
    const faults = (await matrix.faultsWith(mutation, made)).filter(fault => !/\b500 \{/.test(fault))
    if (i < chosen.length - 1)
      await product.restart(Object.fromEntries(mutation.services.map(name => [name, undefined])))
    const noticed = faults.length > 0
    if (noticed) outcome.passed++
    else outcome.failures.push(mutation.name)
    say(`  ${noticed ? '✓' : '✗'} ${mutation.name} (${seconds(performance.now() - start)})`)
    say(`      ${noticed ? faults[0] : 'not noticed: the matrix passed without this guard'}`)
  }
  return outcome
}

const firstNamed = text =>
  Math.max(
    MUTATIONS.findIndex(({ name }) => name.includes(text)),
    0,
  )

function chosenToday(count) {
  const day = Number(process.env.ACCESS_DAY ?? Math.floor(Date.now() / DAY_MS))
  say(`  ${count} of ${MUTATIONS.length} guards; ACCESS_DAY=${day} chooses the same again.`)
  return Array.from({ length: count }, (_, i) => MUTATIONS[(day * count + i) % MUTATIONS.length])
}

/** Asks the whole matrix of the product as it is. Answers an exit code. */
export async function askWholeMatrix(processes, undo) {
  const { matrix } = await startWithAdmins(processes, undo)
  const began = performance.now()
  const { cells, faults } = await matrix.whole()
  for (const fault of faults) say(`  ✗ ${fault}`)
  say('', `${cells} requests in ${seconds(performance.now() - began)}, ${faults.length} faults`)
  return faults.length === 0 ? 0 : 1
}

async function startWithAdmins(processes, undo) {
  const product = await phase('Starting a product', () => GuardedProduct.start(processes, undo))
  Object.assign(process.env, {
    BASE_URL: product.baseUrl,
    SANDBOX_URL: product.sandboxUrl,
    DAY_SECONDS: '86400',
    SERVICE_PORTS: JSON.stringify(
      Object.fromEntries(Object.entries(product.ports).flatMap(([name, { port }]) => (port ? [[name, port]] : []))),
    ),
  })
  // It reads the environment when it is loaded.
  const matrix = await import('./narrowed-matrix.js')
  await makeAdmins(product)
  return { product, matrix }
}

/** Makes the admins whom the journeys look for. Without the demo there are none. */
async function makeAdmins({ baseUrl, databaseUrl }) {
  const emails = ['ines', 'noor'].map(name => `${name}@example.com`)
  for (const [i, email] of emails.entries()) {
    const body = { email, password: DEMO_PASSWORD, firstName: 'Ada', lastName: 'Admiral', username: `ada.${i}` }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${baseUrl}/api/auth/signup`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 201) throw new Failure(`An admin could not sign up: ${await answer.text()}`)
  }
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query(`UPDATE identity.users SET role = 'admin', approves_from = now() WHERE email = ANY($1)`, [
    emails,
  ])
  await database.end()
}
