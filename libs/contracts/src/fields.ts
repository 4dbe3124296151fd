/** Fields that several routes share. */

import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { CURRENCY_EXPONENT, type Currency } from '@holdfast/kernel/money'
import { IDEMPOTENCY_KEY_FORM, IDEMPOTENCY_KEY_PATTERN, MAX_PAGE_SIZE, PAGE_SIZE } from '@holdfast/kernel/requests'
import { cleanLine, cleanText } from '@holdfast/kernel/text'
import { MAX_CARRIER_LENGTH, MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import { MAX_EMAIL_LENGTH } from '@holdfast/kernel/users'
import { hasLink, hasPhoneNumber, PHONE_NUMBER } from '@holdfast/names/links'
import { hasHiddenCharacters, hasStackedMarks } from '@holdfast/names/names'
import { isOneScript } from '@holdfast/names/scripts'
import { z } from 'zod'

/** Listing, transaction and dispute ids: positive integers that JavaScript can hold exactly. */
export const IntegerId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
/** A whole number that is not negative, as text: without sign, space, leading zero or exponent. */
const WHOLE_NUMBER = /^(0|[1-9]\d{0,15})$/
/** An id as text in a path. */
export const IntegerIdText = z
  .string()
  .regex(WHOLE_NUMBER)
  .transform(Number)
  .pipe(IntegerId)
  .meta({ override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } })
export const Uuid = z.string().regex(UUID_PATTERN, 'Must be an id')

export const IdParams = z.object({ id: IntegerIdText })
export const UserIdParams = z.object({ userId: Uuid })

/** Every time in an answer: ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime()

/** Money in an answer: a decimal string with the currency's decimal places. Only a balance may be negative. */
export const Amount = z.string().regex(/^-?\d+(\.\d+)?$/)
const AMOUNT_TEXT = /^\d{1,15}(\.\d{1,18})?$/
/** Money in a query: a decimal string, not negative. `parseAmount` checks the currency's decimal places. */
export const AmountText = z.string({ error: 'Must be an amount' }).regex(AMOUNT_TEXT, 'Must be an amount, not negative')
/** Money in a body: the same, or a number. */
export const AmountInput = z
  .union([z.string().max(40), z.number()], { error: 'Must be an amount' })
  .transform(String)
  .pipe(AmountText)
  // Some numbers, such as 1e-7 and 1e21, have no such text and are refused. So only amounts of cents are documented.
  .meta({
    override: {
      anyOf: [
        { type: 'string', pattern: AMOUNT_TEXT.source },
        { type: 'number', minimum: 0, maximum: 999_999_999_999, multipleOf: 0.01 },
      ],
    },
  })

export const CurrencyCode = z.enum(Object.keys(CURRENCY_EXPONENT) as [Currency, ...Currency[]])

/**
 * A whole number in a query, from `minimum` to `maximum`. Text must consist of digits alone: without sign, space, leading
 * zero or exponent. A client of ours may give the number itself.
 */
export const integerText = (minimum: number, maximum: number) =>
  z
    .union([z.number(), z.string().regex(WHOLE_NUMBER, 'Must be a whole number').transform(Number)], {
      error: 'Must be a whole number',
    })
    .pipe(z.int().min(minimum).max(maximum))
    .meta({ override: { type: 'integer', minimum, maximum } })

/** Lists are newest first. `before` is the last id of the previous page; `Link: rel="next"` in its answer has it. */
export const PageQuery = z.object({
  limit: integerText(1, MAX_PAGE_SIZE)
    .default(PAGE_SIZE)
    .meta({ override: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE } }),
  before: integerText(1, Number.MAX_SAFE_INTEGER).optional(),
})

/** One or several values of an enum in a query: `?status=paid&status=shipped`. */
export const oneOrMore = <const V extends readonly [string, ...string[]]>(values: V) =>
  z
    .union([z.enum(values), z.array(z.enum(values)).min(1).max(values.length).readonly()])
    .transform(given => [given].flat() as V[number][])

/** Documents that a text must not be blank. The code also refuses a text of invisible characters only. */
export const NOT_BLANK = { pattern: String.raw`\S` } as const

const isNotStacked = (text: string) => !hasStackedMarks(text)
const STACKED = { error: 'Has too many marks on one letter', abort: true } as const
/**
 * A text before it is cleaned. One that is far too long is refused before anything else looks at it: some checks of names take a third of a
 * second for a megabyte, in which the service answers nobody.
 */
const uncleaned = (max: number, required = 'Required') =>
  z.string({ error: required }).max(2 * max + 100, { error: `At most ${max} characters`, abort: true })
const cleaned = (clean: (text: string) => string, max: number, required?: string) =>
  uncleaned(max, required).overwrite(clean).max(max, `At most ${max} characters`).refine(isNotStacked, STACKED)
const notBlank = (field: z.ZodString, required: string) => field.min(1, required).meta(NOT_BLANK)
/** One line that other users read. Characters that hide or rearrange text are removed. It must not be blank, nor cover the lines around it. */
export const line = (max: number, required = 'Required') => notBlank(cleaned(cleanLine, max, required), required)
/** The same with any number of lines. */
export const text = (max: number, required = 'Required') => notBlank(cleaned(cleanText, max, required), required)
/** A line that may be left empty. */
export const optionalLine = (max: number) => cleaned(cleanLine, max)
/** A text that may be left empty. `required` is what is said when it is no text. */
export const optionalText = (max: number, required: string) => cleaned(cleanText, max, required)
/** Addresses that are refused in a name. Bare domains are refused, too, which no pattern can list. */
const ADDRESS_PATTERN = /@|:\/\/|\b[wW]{3}\./
/**
 * A person's name, which stands in mails to others. What could make it look like another name is refused: characters that hide or rearrange
 * text, and letters of several scripts. So are addresses and phone numbers, of which mail programs make links.
 */
export const personName = (max: number) =>
  uncleaned(max)
    .refine(name => !hasHiddenCharacters(name), { error: 'Must not contain invisible characters', abort: true })
    .refine(isNotStacked, STACKED)
    .refine(name => !ADDRESS_PATTERN.test(name) && !hasLink(name), {
      error: 'Must be a name, not an address',
      abort: true,
    })
    .refine(name => !hasPhoneNumber(name), { error: 'Must be a name, not a phone number', abort: true })
    .refine(isOneScript, {
      error: 'Use the letters of one script, such as only Latin or only Cyrillic ones',
      abort: true,
    })
    .overwrite(cleanLine)
    .min(1, 'Required')
    .max(max, `At most ${max} characters`)
    .meta({ pattern: String.raw`^(?![\s\S]*(?:${ADDRESS_PATTERN.source}|${PHONE_NUMBER.source}))[\s\S]*\S` })

/** An e-mail address as a person types it. */
export const Email = z
  .string({ error: 'Required' })
  .trim()
  .min(1, 'Required')
  .max(MAX_EMAIL_LENGTH, { abort: true })
  .regex(z.regexes.email, 'Invalid email address')
  .meta({ format: 'email' })

/** The `Idempotency-Key` header of a route that needs one. */
export const IdempotencyKey = z
  .string({ error: 'Required' })
  .regex(IDEMPOTENCY_KEY_PATTERN, `Must be ${IDEMPOTENCY_KEY_FORM}`)

/** A SHA-256 hash in hexadecimal digits. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A picture as the browser sends it. The server reads the picture's type from its bytes, not from this prefix. */
export const ImageDataUrl = z.string().regex(/^data:image\/[a-z0-9.+-]{1,40};base64,/, 'File must be an image')

/** A tracking number as a party writes it. */
export const TrackingNumber = z
  .string({ error: 'Please enter a tracking number.' })
  .trim()
  .min(1, 'Please enter a tracking number.')
  .max(MAX_TRACKING_NUMBER_LENGTH)
  .regex(/^[A-Za-z0-9-][A-Za-z0-9 -]*$/, 'Letters, digits, spaces and hyphens')

/** Which fields of a form its sender has changed: only they are written (`onlyChanged`). All of them when it is left out. */
export const changedAmong = <const Names extends readonly string[]>(names: Names) =>
  z.array(z.enum(names)).max(names.length).optional()

/** How a parcel travels, as its sender says. A correction writes only what is among `changed`. */
export const ShipmentInput = z.object({
  trackingNumber: TrackingNumber,
  carrier: optionalLine(MAX_CARRIER_LENGTH).nullish(),
  changed: changedAmong(['trackingNumber', 'carrier']),
})

const MAX_MAILED_TOKEN_LENGTH = 100
/** The secret of a link that was mailed. */
export const MailedToken = z.string({ error: 'Required' }).min(1, 'Required').max(MAX_MAILED_TOKEN_LENGTH)
