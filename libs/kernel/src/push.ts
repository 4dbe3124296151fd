/** Push messages to browsers. */

/** A further browser of a user replaces the one that was added first. */
export const MAX_PUSH_BROWSERS = 10
export const MAX_PUSH_ENDPOINT_LENGTH = 1_000

/** The push services of the browsers, by host. A name that begins with a dot stands for every host below it. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  // Chromium without Google's keys, and before its stable release: components/push_messaging/push_messaging_constants.cc
  'jmt17.google.com',
  '.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
] as const

/**
 * Whether an address belongs to a push service. The server sends requests to it, so an address that a client could choose freely would
 * let it reach hosts behind our firewall.
 *
 * @param more further origins, which the configuration names
 */
export function isPushService(endpoint: string, more: readonly string[] = []): boolean {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, origin, username, password } = new URL(endpoint)
  if (username !== '' || password !== '') return false
  if (more.includes(origin)) return true
  const isKnown = PUSH_SERVICES.some(name => (name.startsWith('.') ? hostname.endsWith(name) : hostname === name))
  return protocol === 'https:' && port === '' && isKnown
}
