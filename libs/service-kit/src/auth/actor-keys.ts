import { createSecretKey, hash, type KeyObject } from 'node:crypto'
import { SERVICES, type ServiceName } from '@holdfast/contracts/topology'

const KEY_BYTES = 32
/** The key that signs, and those of a rotation. */
const MAX_KEYS = 3
const ID_LENGTH = 8

/** A key that a pair of services shares. */
export interface ActorKey {
  /** Names the key in a signature. It is the beginning of the key's hash, so nobody has to choose it. */
  readonly id: string
  readonly secret: KeyObject
}

/** The keys of each pair of services, by `caller>callee`: the first one signs. A process has only the pairs that it belongs to. */
export type ActorKeys = ReadonlyMap<string, readonly ActorKey[]>

/**
 * Reads ACTOR_KEYS: `{"gateway>escrow-svc": "<base64url of 32 bytes>", …}`. While a key is rotated, a pair has a list of keys: the first
 * signs, and a signature of any of them is accepted (docs/runbooks/actor-keys.md). Returns an error text when it is invalid.
 */
export function parseActorKeys(text: string): ActorKeys | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return 'must be JSON'
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'must be a JSON object'
  const keys = new Map<string, readonly ActorKey[]>()
  for (const [pair, value] of Object.entries(json)) {
    if (!isPair(pair)) return `${JSON.stringify(pair)} is not a pair of services`
    const ofPair = (Array.isArray(value) ? value : [value]).map(keyOf)
    if (ofPair.length === 0 || ofPair.length > MAX_KEYS) return `${pair} must have 1 to ${MAX_KEYS} keys`
    if (ofPair.includes(null)) return `the key of ${pair} must be ${KEY_BYTES} bytes in base64url`
    if (new Set(ofPair.map(key => key?.id)).size < ofPair.length) return `${pair} has a key twice`
    keys.set(pair, ofPair as ActorKey[])
  }
  return keys
}

function keyOf(text: unknown): ActorKey | null {
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'base64url')
  if (bytes.length !== KEY_BYTES) return null
  return { id: hash('sha256', bytes, 'base64url').slice(0, ID_LENGTH), secret: createSecretKey(bytes) }
}

const isService = (name: unknown): name is ServiceName => (SERVICES as readonly unknown[]).includes(name)
const isPair = (pair: string): boolean => pair.split('>').length === 2 && pair.split('>').every(isService)
