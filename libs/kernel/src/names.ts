/** Which usernames and names of people are refused, because they could deceive other users. */

/** Names that would look as if the user were part of Holdfast. */
const RESERVED_USERNAMES = new Set([
  'admin',
  'administrator',
  'escrow',
  'mediation',
  'mediator',
  'moderation',
  'moderator',
  'staff',
  'support',
  'system',
])
const PRODUCT_NAME = 'holdfast'
/** Beside a reserved word or the product's name these words make a username look like ours: 'support-team'. */
const COMPANIONS = ['care', 'center', 'customer', 'desk', 'help', 'official', 'service', 'team', 'the']

/** Whether a username is reserved. Punctuation is ignored, and so are digits in place of letters. */
export function isReservedUsername(username: string): boolean {
  const bare = skeletonOf(username)
  if (bare.startsWith(PRODUCT) || bare.startsWith(CLOSED) || RESERVED.has(bare)) return true
  const words = wordsOf(username).map(skeletonOf)
  const isOurs = (word: string) => word === PRODUCT || RESERVED.has(word)
  return words.some(isOurs) && words.every(word => isOurs(word) || COMPANION_WORDS.has(word))
}

/** The name that is shown for a user whose account is closed. */
export const CLOSED_USER_NAME = 'Closed account'

/** Words that are reserved as usernames and allowed in a person's name, because people have these names. */
const FAMILY_NAMES: ReadonlySet<string> = new Set(['staff'])

/**
 * Whether a person's name looks as if they were part of Holdfast ('Holdfast Support', 'EscrowTeam', 'Customer Service'), or as if
 * their account was closed.
 */
export function isReservedName(firstName: string, lastName: string): boolean {
  const name = `${firstName} ${lastName}`
  const skeleton = skeletonOf(name)
  if (skeleton.includes(PRODUCT) || skeleton.startsWith(CLOSED)) return true
  if (DEPARTMENT.test(wordsOf(name).map(skeletonOf).join(' '))) return true
  return wordsOf(name).some(word => RESERVED.has(skeletonOf(word)) && !FAMILY_NAMES.has(word.toLowerCase()))
}

/** The letter for each character that looks like it. `i`, `l` and `1` look alike, so all of them become `l`. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '|': 'l',
  i: 'l',
  ı: 'l',
  а: 'a',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'l',
  ӏ: 'l',
  м: 'm',
  н: 'h',
  η: 'h',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  υ: 'u',
  у: 'y',
  α: 'a',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  ι: 'l',
  ł: 'l',
  ø: 'o',
  օ: 'o',
  đ: 'd',
  ħ: 'h',
  ƒ: 'f',
  ƨ: 's',
}

/** The words of a name, split at spaces, dashes, dots, underscores and slashes. Other signs can stand for a letter: '@' for 'a'. */
const wordsOf = (name: string): string[] => name.split(/[\s\p{Pd}._/]+/u)

/** A text as a reader sees it at a glance: without accents, case and punctuation, and with each lookalike as one letter. */
function skeletonOf(text: string): string {
  const letters = text.normalize('NFKD').toLowerCase()
  return [...letters]
    .map(letter => LOOKALIKES[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const PRODUCT = skeletonOf(PRODUCT_NAME)
const RESERVED: ReadonlySet<string> = new Set([...RESERVED_USERNAMES].map(skeletonOf))
const COMPANION_WORDS: ReadonlySet<string> = new Set(COMPANIONS.map(skeletonOf))
const CLOSED = skeletonOf(CLOSED_USER_NAME)
/** Two or more words of ours in a row, with or without a space between them. 'The' is left out, because people have this name. */
const DEPARTMENT = new RegExp(
  `(?<![^ ])(?:(?:${[...RESERVED, ...COMPANION_WORDS].filter(word => word !== 'the').join('|')}) ?){2,}(?![^ ])`,
)

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

/** Finds an e-mail or web address in a name. Mail programs would make a link of it. */
export const ADDRESS_PATTERN = /@|:\/\/|\b[wW]{3}\./
