/**
 * EasyPost's codes of carriers by the names that people write, in small letters and without spaces, dots and dashes. Names that several
 * carriers share, such as DHL and Hermes, are left out: EasyPost then finds the carrier by the number.
 */
const CODES: ReadonlyMap<string, string> = new Map([
  ['ups', 'UPS'],
  ['unitedparcelservice', 'UPS'],
  ['usps', 'USPS'],
  ['uspostalservice', 'USPS'],
  ['unitedstatespostalservice', 'USPS'],
  ['fedex', 'FedEx'],
  ['federalexpress', 'FedEx'],
  ['dhlexpress', 'DHLExpress'],
  ['dhlpaket', 'DHLPaket'],
  ['dhlecommerce', 'DhlEcs'],
  ['deutschepost', 'DeutschePost'],
  ['royalmail', 'RoyalMail'],
  ['parcelforce', 'Parcelforce'],
  ['dpd', 'DPD'],
  ['dpduk', 'DPDUK'],
  ['postnl', 'PostNL'],
  ['laposte', 'LaPoste'],
  ['chronopost', 'Chronopost'],
  ['canadapost', 'CanadaPost'],
  ['purolator', 'Purolator'],
  ['australiapost', 'AustraliaPost'],
  ['auspost', 'AustraliaPost'],
  ['ontrac', 'OnTrac'],
  ['lasership', 'LaserShipV2'],
])

/** EasyPost's code of the carrier that a person named; null for a name that is not known. */
export function carrierCode(name: string): string | null {
  return CODES.get(name.toLowerCase().replaceAll(/[\s.-]/g, '')) ?? null
}
