/** What a mail program makes a link of, though it was written as plain text. */

import tlds from 'tlds' with { type: 'json' }

const TOP_LEVEL_DOMAINS: ReadonlySet<string> = new Set(tlds)

/** Characters that are not shown. A mail program may leave them out. */
const NOT_SHOWN = /\p{Default_Ignorable_Code_Point}/gu
/** Browsers read these as the dot between the parts of a domain (UTS 46). The others become a dot by normalisation. */
const DOTS = /[\u3002\u06D4\u0701\u0702]/g
/** A web address with its scheme or with `www.`, or an e-mail address. */
const BEGINNING = /:\/\/\S|\bmailto:\S|\bwww\.\S|\S@[^\s@]+\.\S/i
/** The address of a host. */
const HOST = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/
/**
 * A dot after a part of a domain, and what may be a top-level domain. Mail programs differ in what may stand around it, so that is not looked
 * at.
 */
const DOMAIN = /[\p{L}\p{N}\p{M}-]\.(xn--[a-z\d-]+|[\p{L}\p{N}\p{M}]+)/giu
/** Seven digits or more with nothing but signs between them: a phone offers to call the number. */
export const PHONE_NUMBER = /\d(?:[\s().\-/]{0,3}\d){6,}/

const plain = (text: string): string => text.normalize('NFKC').replace(NOT_SHOWN, '').replace(DOTS, '.')

/** Whether a text has something that a mail program shows as a link: a web address, a bare domain, an e-mail address, an address of a host. */
export function hasLink(text: string): boolean {
  const shown = plain(text)
  if (BEGINNING.test(shown) || HOST.test(shown)) return true
  const lastParts = [...shown.matchAll(DOMAIN)].map(([, lastPart = '']) => lastPart.toLowerCase())
  return lastParts.some(part => TOP_LEVEL_DOMAINS.has(part) || part.startsWith('xn--'))
}

/** Whether a text has a phone number. */
export const hasPhoneNumber = (text: string): boolean => PHONE_NUMBER.test(plain(text))

/** Signs that join the parts of a link. */
const JOINS = /[.:@]+/g

/**
 * A text of a user in which nothing is a link any more: a space stands after each dot, colon and at sign of what would be one
 * ('evil.example/x' becomes 'evil. example/x'). Other texts come back as they are.
 */
export const withoutLinks = (text: string): string =>
  hasLink(text) ? plain(text).replace(/\S+/g, word => (hasLink(word) ? word.replace(JOINS, '$& ').trim() : word)) : text
