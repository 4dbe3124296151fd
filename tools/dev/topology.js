import path from 'node:path'
import { ROOT } from './settings.js'

/** The services with a database of their own, in the order in which they are named everywhere. */
export const SERVICES = ['identity-svc', 'listing-svc', 'escrow-svc', 'dispute-svc', 'messaging-svc']

/** Every long-lived Node process of the product at home. */
export const PROCESSES = [...SERVICES, 'sandbox', 'gateway']

/** Whether a process can do nothing without the database. */
export const needsDatabase = name => name !== 'postgres' && name !== 'sandbox'

/** The database login of a service: its name with an underscore. */
export const roleOf = service => service.replace('-', '_')

/** Every database login. The gateway has one to read events. */
export const ROLES = [...SERVICES, 'gateway_svc'].map(roleOf)

/** Who may call whom, as ACTOR_KEYS names it: the gateway everybody, and dispute-svc escrow-svc. */
export const ACTOR_PAIRS = [...SERVICES.map(service => `gateway>${service}`), 'dispute-svc>escrow-svc']

/** The file Node runs for a process. */
export function entryOf(name) {
  return path.join(ROOT, name === 'sandbox' ? 'tools' : 'apps', name, 'dist', 'main.js')
}

/** Node's own options for a process. Its memory needs none: together they stay far below what a laptop can spare. */
export const nodeOptionsOf = name => [`--title=holdfast-${name}`, '--enable-source-maps']
