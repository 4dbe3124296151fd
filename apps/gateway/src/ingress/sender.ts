import { addressKey } from '@holdfast/service-kit/auth/address-key'
import type { FastifyRequest } from 'fastify'

/** Who sends a body. Both names count: a person may have several addresses, and an address several accounts. */
export interface Sender {
  readonly person: string
  readonly address: string
}

/** The sender of a request: its user, and its address as `addressKey`. */
export const senderOf = ({ caller, ip }: FastifyRequest): Sender => {
  const address = addressKey(ip)
  return { person: caller?.actor?.kind === 'user' ? caller.actor.id : address, address }
}
