import fs from 'node:fs'
import path from 'node:path'
import { entryIn } from './built.js'
import { ROOT } from './settings.js'

/**
 * Describes every process of the product: its folder, its database schema (null for none), who may call it, and which
 * variables it needs besides those that every process gets. Services read the same file (libs/contracts/src/topology.ts).
 */
export const TOPOLOGY_FILE = path.join(ROOT, 'libs/contracts/topology.json')

/** The database login of a process: `escrow-svc` logs in as `escrow_svc`, the gateway as `gateway_svc`. */
export const roleOf = name => `${name.replace(/-svc$/, '')}_svc`

/** The environment variable in which callers of a service find its address: `ESCROW_URL`. */
export const urlVariableOf = name => `${name.replace(/-svc$/, '').toUpperCase()}_URL`

/**
 * Reads a topology file: `processes` is a Map from a name to its description, in start order; `services` names those of them
 * that are the product's own, which may run as several replicas; `roles` names every
 * database login; `actorPairs` names who may call whom, as ACTOR_KEYS does (`gateway>escrow-svc`).
 */
export function readTopology(file = TOPOLOGY_FILE) {
  const { services, standIns } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const processes = new Map(Object.entries({ ...services, ...standIns }))
  return {
    processes,
    services: Object.keys(services),
    roles: [...Object.keys(services), ...Object.keys(standIns).filter(name => standIns[name].schema)].map(roleOf),
    actorPairs: [...processes].flatMap(([callee, { calledBy }]) => calledBy.map(caller => `${caller}>${callee}`)),
  }
}

/** The product's own topology. */
export const TOPOLOGY = readTopology()

/** The services whose addresses a process must know. */
export const calleesOf = (name, { processes }) =>
  [...processes.keys()].filter(callee => processes.get(callee).calledBy.includes(name))

/** Whether a process does nothing useful without the database. */
export const needsDatabase = (name, { roles } = TOPOLOGY) => roles.includes(roleOf(name))

/** The file Node runs for a process. */
export const entryOf = (name, { processes } = TOPOLOGY) => path.join(ROOT, entryIn(processes.get(name).folder))

/** Node's own options for a process. Its memory needs none: together they stay far below what a laptop can spare. */
export const nodeOptionsOf = name => [`--title=holdfast-${name}`, '--enable-source-maps']
