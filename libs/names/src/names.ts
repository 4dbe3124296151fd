/** Which usernames and names of people are refused, because they could deceive other users. */

import { CLOSED_USER_NAME } from '@holdfast/kernel/closed-username'
import { skeletonsOf } from './skeleton.js'

const PRODUCT_NAME = 'holdfast'

/** Nobody is called so. Who has one of these words in their name seems to be one of us, whatever stands beside it. */
const NEVER_A_NAME = [
  'abuse',
  'admin',
  'administration',
  'administrator',
  'administrators',
  'admins',
  'compliance',
  'escrow',
  'mailer',
  'mediation',
  'mediator',
  'mediators',
  'moderation',
  'moderator',
  'moderators',
  'no-reply',
  'notification',
  'notifications',
  'official',
  'payments',
  'payout',
  'payouts',
  'postmaster',
  'refund',
  'refunds',
  'security',
  'support',
  'system',
  'transaction',
  'transactions',
  'verification',
  'webmaster',
]
/** What our departments and their mails could be called. Beside another word each of these is a person's name, too: 'Grace Trust'. */
const MAYBE_A_NAME = [
  'account',
  'accounts',
  'alert',
  'alerts',
  'bank',
  'billing',
  'care',
  'center',
  'centre',
  'claims',
  'customer',
  'customers',
  'deals',
  'department',
  'deposit',
  'deposits',
  'dept',
  'desk',
  'dispute',
  'disputes',
  'finance',
  'fraud',
  'help',
  'info',
  'legal',
  'office',
  'operations',
  'operator',
  'owner',
  'payment',
  'privacy',
  'protection',
  'release',
  'reply',
  'resolution',
  'root',
  'safety',
  'secure',
  'service',
  'services',
  'staff',
  'team',
  'transfer',
  'transfers',
  'trust',
  'verified',
  'wallet',
]
/** Words that change nothing beside those above: 'trust and safety', 'the desk'. */
const FILLERS = ['and', 'for', 'of', 'our', 'the', 'your']
/** What a username that is refused is answered. */
export const RESERVED_USERNAME = 'Choose another username: this one looks like an account of Holdfast'
/** What a name that is refused is answered. */
export const RESERVED_NAME = 'Enter your own name: this one looks like a part of Holdfast'

/** Digits and signs that are written in place of letters. People read them although Unicode does not count them as looking alike. */
const WRITTEN_FOR: Readonly<Record<string, string>> = {
  2: 's',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
}

const spelled = (text: string): string => [...text].map(sign => WRITTEN_FOR[sign] ?? sign).join('')

/** Numbers and signs before and after a text. */
const AROUND = /^\P{L}+|\P{L}+$/gu
const NUMBERS = /\p{N}+/gu

/** The skeletons of a text that can have digits in place of letters, and numbers beside them: 'adm1n', 'admin1'. */
const readingsOf = (text: string): readonly string[] => [
  ...new Set([text, text.replace(AROUND, ''), text.replace(NUMBERS, '')].flatMap(form => skeletonsOf(spelled(form)))),
]

const oneOf = (words: readonly string[]): string => words.flatMap(skeletonsOf).join('|')
const OURS = oneOf([...NEVER_A_NAME, ...MAYBE_A_NAME])
const FILLER = oneOf(FILLERS)
const [PRODUCT = '', CLOSED = ''] = [PRODUCT_NAME, CLOSED_USER_NAME].flatMap(skeletonsOf)
const NEVER: ReadonlySet<string> = new Set(NEVER_A_NAME.flatMap(skeletonsOf))
/** Nothing but words of ours, however they are joined. */
const ALL_OURS = new RegExp(`^(?:${FILLER})*(?:${OURS})(?:${OURS}|${FILLER})*$`, 'u')
/** Two or more words of ours in a row, in words that a space separates. */
const DEPARTMENT = new RegExp(`(?<![^ ])(?:${OURS}) ?(?:(?:${FILLER}) ?)*(?:${OURS})(?![^ ])`, 'u')
/** Spaces, dashes, dots, underscores, slashes and signs for 'and'. Other signs can stand for a letter: '@' for 'a'. */
const BETWEEN_WORDS = /[\s\p{Pd}._/&+,]+/u

/**
 * Whether a username looks like an account of ours: it contains the product's name or has only words of ours, in whatever letters, with
 * whatever signs between them and numbers beside them.
 */
export const isReservedUsername = (username: string): boolean =>
  readingsOf(username).some(bare => bare.includes(PRODUCT) || bare.startsWith(CLOSED) || ALL_OURS.test(bare))

/**
 * Whether the first name, the last name or both together look as if the person were part of Holdfast ('Holdfast Support', 'EscrowTeam', 'Trust &
 * Safety'), or as if their account was closed. A word of ours that people have as a name is allowed beside another one: 'Grace Trust'.
 */
export function isReservedName(...parts: readonly string[]): boolean {
  if (isReservedUsername(parts.join(''))) return true
  const words = wordsOf(parts, BETWEEN_WORDS)
  const isNever = (readings: readonly string[]) => readings.some(bare => NEVER.has(bare))
  if ([...words, ...wordsOf(parts, /\s+/)].some(isNever)) return true
  const asOurs = words.map(readings => readings.find(bare => ALL_OURS.test(bare)) ?? readings[0] ?? '')
  return DEPARTMENT.test(asOurs.join(' '))
}

/** The readings of each word of the parts of a name. */
const wordsOf = (parts: readonly string[], between: RegExp): (readonly string[])[] =>
  parts
    .flatMap(part => part.split(between))
    .filter(Boolean)
    .map(readingsOf)

/**
 * Characters that are invisible, or that change the direction of the text around them. A joiner is allowed after an Arabic
 * letter or a combining mark, where Persian and Indian names need it.
 */
const HIDDEN =
  /(?![\u200C\u200D])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]|(?<![\p{Script=Arabic}\p{M}])[\u200C\u200D]/u

/** Whether a name has characters that hide or rearrange what others read. */
export const hasHiddenCharacters = (name: string): boolean => HIDDEN.test(name)

/**
 * More marks on one letter than any script needs. Three are the most of the marks that all scripts share, such as accents.
 * Burmese writes up to six marks of its own on a letter.
 */
const STACKED_MARKS = /(?:(?=\p{M})\p{Script=Inherited}){4}|\p{M}{7}/u

/** Whether a name has so many marks on one letter that they cover the lines above and below. */
export const hasStackedMarks = (name: string): boolean => STACKED_MARKS.test(name)
