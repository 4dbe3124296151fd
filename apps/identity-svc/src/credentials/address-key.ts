import ipaddr from 'ipaddr.js'

/** One line of IPv6 gives its customer a /64 at least: counting single addresses of it would count nothing. */
const IPV6_NETWORK_BYTES = 8

/**
 * What stands for a client's address when attempts are counted: an IPv4 address itself, an IPv6 address's /64. Calls
 * without an address share one count.
 */
export function addressKey(clientIp: string | null | undefined): string {
  if (!clientIp || !ipaddr.isValid(clientIp)) return 'unknown'
  const address = ipaddr.process(clientIp)
  if (address.kind() === 'ipv4') return address.toString()
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex')}/64`
}
