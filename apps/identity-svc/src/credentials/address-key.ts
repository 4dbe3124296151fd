import ipaddr from 'ipaddr.js'

/** An IPv6 customer usually has a whole /64 of addresses, so a limit per single address would have no effect. */
const IPV6_NETWORK_BYTES = 8

/**
 * The key under which a client's attempts are counted: an IPv4 address itself, or the /64 of an IPv6 address. Calls
 * without a readable address share one key.
 */
export function addressKey(clientIp: string | null | undefined): string {
  if (!clientIp || !ipaddr.isValid(clientIp)) return 'unknown'
  const address = ipaddr.process(clientIp)
  if (address.kind() === 'ipv4') return address.toString()
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex')}/64`
}
