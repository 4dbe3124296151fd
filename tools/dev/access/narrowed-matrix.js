import { meetActors } from '../../../e2e/access/actors.js'
import { askForeignSites } from '../../../e2e/access/foreign-sites.js'
import { askActs, askRefusals, canChange } from '../../../e2e/access/matrix.js'
import { makeRecords } from '../../../e2e/access/records.js'
import { askServices } from '../../../e2e/access/services.js'
import { SERVICE_PORTS } from '../../../e2e/support/environment.js'

/** People and records, made before a guard is removed. */
export async function makeWorld() {
  const actors = await meetActors()
  return { actors, records: await makeRecords(actors) }
}

/**
 * The faults of the part of the matrix that a mutation concerns.
 *
 * @param {import('./mutations.js').Mutation} mutation
 * @param {Awaited<ReturnType<typeof makeWorld>>} world
 */
export async function faultsWith({ routes, part = 'routes' }, { actors, records }) {
  if (part === 'services') return askServices(SERVICE_PORTS)
  if (part === 'signIn') return faultsOfSignIn((await meetActors()).signInsOfSuspended)
  if (part === 'sites') return askForeignSites(actors)
  return (await askRefusals(actors, records, routes)).faults
}

/** @param {string[]} codes of the answers to the right password and to a wrong one */
const faultsOfSignIn = ([right, wrong]) => [
  ...(right === 'ACCOUNT_SUSPENDED' ? [] : [`a suspended user signs in: ${right}`]),
  ...(wrong === 'INVALID_CREDENTIALS' ? [] : [`who guesses learns of a suspension: ${wrong}`]),
]

/**
 * Whether the people and records can be used again after a mutation.
 *
 * @param {import('./mutations.js').Mutation} mutation
 */
export const leavesWorld = ({ routes, part }) => part !== 'sites' && !(routes && canChange(routes))

/** The whole matrix. */
export async function whole() {
  const { actors, records } = await makeWorld()
  const [refusals, acts] = [await askRefusals(actors, records), await askActs(actors, records)]
  const others = await Promise.all([askServices(SERVICE_PORTS), askForeignSites(actors)])
  return { cells: refusals.cells + acts.cells, faults: [...refusals.faults, ...acts.faults, ...others.flat()] }
}
