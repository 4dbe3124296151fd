import { parcelId } from './parcels.js'

/** The carriers that the sandbox knows, by EasyPost's codes, each with the form of its tracking numbers if that tells the carrier. */
const FORMS: ReadonlyMap<string, RegExp | null> = new Map([
  ['UPS', /^1Z[0-9A-Z]{16}$/],
  ['FedEx', /^(\d{12}|\d{15})$/],
  ['USPS', /^(9\d{19}|9\d{21}|[A-Z]{2}\d{9}US)$/],
  ['RoyalMail', /^[A-Z]{2}\d{9}GB$/],
  ['CanadaPost', /^(\d{16}|[A-Z]{2}\d{9}CA)$/],
  ['DHLExpress', /^\d{10}$/],
  ['DHLPaket', /^00340434\d{12}$/],
  ['DPD', null],
  ['PostNL', null],
])

/** Whether this is the code of a carrier. */
export const isCarrier = (code: string): boolean => FORMS.has(code)

/** The carrier of a tracking number by the number's form; null when the form tells none. */
export function detectCarrier(trackingNumber: string): string | null {
  return [...FORMS].find(([, form]) => form?.test(parcelId(trackingNumber)))?.[0] ?? null
}
