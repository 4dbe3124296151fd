import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether a request of Twilio is signed with our token: the HMAC-SHA1 of the address and of all fields, in the order of their names
 * (https://www.twilio.com/docs/usage/security#validating-requests).
 *
 * @param url the URL that we gave to Twilio, with its query
 */
export function isSignedByTwilio(url: string, fields: URLSearchParams, token: string, signature: string): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(twilioSignature(url, fields, token))
  return given.byteLength === right.byteLength && timingSafeEqual(given, right)
}

export function twilioSignature(url: string, fields: URLSearchParams, token: string): string {
  const sorted = [...fields].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  return createHmac('sha1', token)
    .update(url + sorted.map(([name, value]) => name + value).join(''))
    .digest('base64')
}
