import { z } from 'zod'
import type { Form } from './form.js'
import { StripeError } from './stripe-error.js'

/** Forms carry only strings. These schemas turn them into values and refuse wrong ones with the provider's messages. */

export const integer = z.string().transform((text, context) => {
  if (/^-?\d{1,15}$/.test(text)) return Number(text)
  context.addIssue(coded(`Invalid integer: ${text}`, 'parameter_invalid_integer'))
  return z.NEVER
})

export const boolean = z.string().transform((text, context) => {
  if (text === 'true' || text === 'false') return text === 'true'
  context.addIssue({ code: 'custom', message: `Invalid boolean: ${text}` })
  return z.NEVER
})

/** A text that may not be empty. */
export const text = (max = 5_000) =>
  z.string().superRefine((value, context) => {
    if (value === '') {
      const message = `You passed an empty string. We assume empty values are an attempt to unset a parameter; however this parameter cannot be unset. You should remove it from your request or supply a non-empty value.`
      context.addIssue(coded(message, 'parameter_invalid_empty'))
    } else if (value.length > max) {
      context.addIssue(coded(`Invalid string: must be at most ${max} characters`, 'parameter_invalid_string_too_long'))
    }
  })

export const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: () => `must be one of ${values.join(', ')}` })

const MAX_METADATA_KEYS = 50
const MAX_METADATA_KEY_LENGTH = 40
const MAX_METADATA_VALUE_LENGTH = 500

/** Up to 50 keys of 40 characters with values of 500; an empty value removes its key, an empty parameter removes all keys. */
export const metadata = z.union([
  z.literal(''),
  z.record(z.string().max(MAX_METADATA_KEY_LENGTH), z.string().max(MAX_METADATA_VALUE_LENGTH)).superRefine(limitKeys),
])

function limitKeys(value: Record<string, string>, context: z.RefinementCtx<Record<string, string>>): void {
  if (Object.keys(value).length <= MAX_METADATA_KEYS) return
  context.addIssue({ code: 'custom', message: `Metadata can have up to ${MAX_METADATA_KEYS} keys` })
}

const addressLine = z.string().max(500).optional()

export const address = z.strictObject({
  city: addressLine,
  country: addressLine,
  line1: addressLine,
  line2: addressLine,
  postal_code: addressLine,
  state: addressLine,
})

const range = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
})

/** The parameters that every list takes. */
export const listShape = {
  limit: integer.optional(),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
  created: z.union([integer, range]).optional(),
}

/** Parameters that every call takes. */
export const commonShape = {
  expand: z.array(z.string()).max(20).optional(),
  /** A browser sends its publishable key as a parameter; it has been read at authentication. */
  key: z.string().optional(),
}

/** @throws StripeError 400 naming the first parameter that is missing, unknown or wrong */
export function parseParams<S extends z.ZodType>(schema: S, form: Form): z.output<S> {
  const result = schema.safeParse(form)
  if (result.success) return result.data
  throw asStripeError(result.error.issues[0]!)
}

function asStripeError(issue: z.core.$ZodIssue): StripeError {
  if (issue.code === 'unrecognized_keys') {
    const param = bracketed([...issue.path, issue.keys[0]!])
    return StripeError.invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = bracketed(issue.path)
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return StripeError.invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.code === 'invalid_type') {
    const wanted = issue.expected === 'string' ? 'string' : issue.expected === 'array' ? 'array' : 'object'
    return StripeError.invalid(`Invalid ${wanted}`, { param })
  }
  if (issue.code === 'custom') {
    const code: unknown = issue.params?.code
    return StripeError.invalid(issue.message, { ...(typeof code === 'string' ? { code } : {}), param })
  }
  return StripeError.invalid(`Invalid ${param}: ${issue.message}`, { param })
}

function bracketed(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('')
}

function coded(message: string, code: string) {
  return { code: 'custom' as const, message, params: { code } }
}
