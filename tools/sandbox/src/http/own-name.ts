import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.js'

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a request calls the sandbox by a name of its own. A page elsewhere can have its own name lead to this machine
 * (DNS rebinding) and is then, to the browser, the sandbox's own page: only the name in `Host` tells.
 */
export function isCalledByOwnName(context: Context, { headers }: FastifyRequest): boolean {
  const { host } = headers
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return LOOPBACK_NAMES.includes(hostname) || hostname === new URL(context.origin()).hostname
}
