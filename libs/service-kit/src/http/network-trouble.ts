/** Errors of the network, as Node names them. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Whether the code of an error says that another machine could not be reached, or that the connection to it has ended. */
export const isNetworkCode = (code: unknown): boolean => typeof code === 'string' && NETWORK.has(code)
