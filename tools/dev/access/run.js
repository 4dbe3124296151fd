import pg from 'pg'
import { Failure } from '../failure.js'
import { phase, say, seconds } from '../output.js'
import { changedSource, packChanged, removeChanged } from './change.js'
import { GuardedProduct } from './guarded-product.js'
import { MUTATIONS } from './mutations.js'

const DEMO_PASSWORD = 'holdfast-demo'

/**
 * Tries mutations: each must make the matrix fail.
 *
 * @param {import('../processes.js').Processes} processes
 * @param {(() => unknown)[]} undo
 * @param {{ only?: string, from?: string }} options `only` selects by name, `from` names the first
 * @returns {Promise<import('../suites.js').Outcome>}
 */
export async function provesMutations(processes, undo, { only = '', from = '' } = {}) {
  for (const mutation of MUTATIONS) changedSource(mutation)
  const chosen = MUTATIONS.slice(firstNamed(from)).filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new Failure(`No mutation is named "${only}".`)
  undo.push(removeChanged)
  const { product, matrix } = await startWithAdmins(processes, undo)
  /** @type {import('../suites.js').Outcome} */
  const outcome = { passed: 0, failures: [] }
  /** @type {Awaited<ReturnType<typeof matrix.makeWorld>> | null} */
  let world = null
  /** The services that run changed code. They get their own back with the next restart. */
  let changed = {}
  const faultsWithout = async (mutation, entries) => {
    if (!world) {
      if (Object.keys(changed).length > 0) await product.restart(changed)
      changed = {}
      world = await matrix.makeWorld()
    }
    await product.restart({ ...changed, ...entries })
    changed = Object.fromEntries(mutation.services.map(name => [name, undefined]))
    const faults = await matrix.faultsWith(mutation, world)
    if (!matrix.leavesWorld(mutation)) world = null
    // A product that fails on every request would also be noticed. That shows nothing about the guard.
    return faults.filter(fault => !/\b500 \{/.test(fault))
  }
  let entries = await packChanged(chosen[0])
  for (const [i, mutation] of chosen.entries()) {
    const start = performance.now()
    const following = chosen[i + 1]
    const [faults, next] = await Promise.all([faultsWithout(mutation, entries), following && packChanged(following)])
    entries = next
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
