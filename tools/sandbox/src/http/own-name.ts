import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.js'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether the `Host` of a request is one of the sandbox's own names. Another site can make its name resolve to this machine
 * (DNS rebinding). The browser then takes its pages for the sandbox's own; only `Host` shows the difference.
 */
export function isCalledByOwnName(context: Context, { headers }: FastifyRequest): boolean {
  const { host } = headers
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return LOOPBACK_NAMES.includes(hostname) || hostname === new URL(context.origin()).hostname
}
