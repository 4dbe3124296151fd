import ipaddr from 'ipaddr.js'

/** An IPv6 customer usually has a whole /64 of addresses, so a limit per single address would have no effect. */
const IPV6_ADDRESS_BYTES = 8
/** One person can rent a whole IPv4 /24 or IPv6 /48 for little money, so the addresses of one network also count together. */
const IPV4_NETWORK_BYTES = 3
const IPV6_NETWORK_BYTES = 6

/**
 * The key under which a client's attempts are counted: an IPv4 address itself, or the /64 of an IPv6 address. Calls
 * without a readable address share one key.
 */
export const addressKey = (clientIp: string | null | undefined): string =>
  prefixOf(clientIp, { ipv6Bytes: IPV6_ADDRESS_BYTES })

/** The key of a client's network: the /24 of an IPv4 address, or the /48 of an IPv6 address. */
export const networkKey = (clientIp: string | null | undefined): string =>
  prefixOf(clientIp, { ipv4Bytes: IPV4_NETWORK_BYTES, ipv6Bytes: IPV6_NETWORK_BYTES })

function prefixOf(clientIp: string | null | undefined, lengths: { ipv4Bytes?: number; ipv6Bytes: number }): string {
  if (!clientIp || !ipaddr.isValid(clientIp)) return 'unknown'
  const address = ipaddr.process(clientIp)
  const { ipv4Bytes, ipv6Bytes } = lengths
  if (address.kind() === 'ipv4' && ipv4Bytes === undefined) return address.toString()
  const bytes = (address.kind() === 'ipv4' ? ipv4Bytes : undefined) ?? ipv6Bytes
  return `${Buffer.from(address.toByteArray().slice(0, bytes)).toString('hex')}/${bytes * 8}`
}
