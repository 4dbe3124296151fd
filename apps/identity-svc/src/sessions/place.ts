import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import ipaddr from 'ipaddr.js'
import { type CountryResponse, Reader } from 'mmdb-lib'

/** Countries by network, made from the public records of the internet registries (CC0). The package contains it, so no address leaves the service. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** The database's record of a network. The types of the reader describe the records of another database. */
interface Country {
  readonly country_code?: string
}

let reader: Reader<CountryResponse> | undefined
// Read when it is first needed: it takes 8 MB.
const countries = (): Reader<CountryResponse> =>
  (reader ??= new Reader<CountryResponse>(readFileSync(createRequire(import.meta.url).resolve(DATABASE))))

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Ranges of addresses that belong to no country. */
const NEARBY: Readonly<Record<string, string>> = {
  loopback: 'This machine',
  private: 'A local network',
  uniqueLocal: 'A local network',
  linkLocal: 'A local network',
}

/** Where an address is, in words, such as "Germany"; null when it is not known. A network can be used from another country. */
export function placeOf(clientIp: string | null): string | null {
  if (clientIp === null || !ipaddr.isValid(clientIp)) return null
  const address = ipaddr.process(clientIp)
  const nearby = NEARBY[address.range()]
  if (nearby !== undefined) return nearby
  const found = countries().get(address.toString()) as unknown as Country | null
  return found?.country_code === undefined ? null : (names.of(found.country_code) ?? null)
}
