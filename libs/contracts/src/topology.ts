import topology from '../topology.json' with { type: 'json' }

// `topology.json` describes every process of the product. The launcher reads the same file (tools/dev/topology.js).

/** The applications, by the names they sign with. */
export type ServiceName = keyof typeof topology.services
export const SERVICES = Object.keys(topology.services) as readonly ServiceName[]

/** The services that keep data, each in a schema of its own. They publish and consume events. */
export const SERVICES_WITH_DATA = SERVICES.filter(name => topology.services[name].schema !== null)
/** The processes that read events and write none, and that have no inbox. */
export const SERVICES_WITHOUT_DATA = SERVICES.filter(name => topology.services[name].schema === null)

/** The most connections to the database that one replica of a service opens: what the `connections.ts` of the service adds up. */
export const CONNECTIONS_OF = Object.fromEntries(
  SERVICES.map(name => [name, topology.services[name].connections]),
) as Readonly<Record<ServiceName, number>>

/** The processes with data that replace outside systems during development, such as the payment provider's. */
export const STAND_INS_WITH_DATA = Object.entries(topology.standIns).flatMap(([name, { schema }]) =>
  schema === null ? [] : [name],
)

/** An event topic. Its first part is the schema of the service that owns it. */
export type Topic = keyof typeof topology.topics
export const TOPIC_OWNERS = topology.topics as Readonly<Record<Topic, ServiceName>>

/** The database login of a process: `escrow-svc` logs in as `escrow_svc`, the gateway as `gateway_svc`. */
export const roleOf = (name: string): string => `${name.replace(/-svc$/, '')}_svc`

type WordOf<S extends string> = S extends `${infer Word}-svc` ? Word : S
/** The environment variable in which callers of a service find its address: `ESCROW_URL`. */
export type UrlVariable<S extends ServiceName> = `${Uppercase<WordOf<S>>}_URL`
export const urlVariableOf = <S extends ServiceName>(name: S): UrlVariable<S> =>
  `${name.replace(/-svc$/, '').toUpperCase()}_URL` as UrlVariable<S>
