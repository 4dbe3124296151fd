import { StripeError } from './stripe-error.js'

const MAX_FIELDS = 1_000
const MAX_DEPTH = 8
const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

/**
 * Reads a form-encoded body or query with Stripe's bracket nesting: `card[number]=4…`, `expand[]=a`, `expand[0]=a`.
 * Every leaf is a string; a folder whose names are all numbers is an array.
 *
 * @throws StripeError 400 for names that clash, nest too deep, or are too many
 */
export function decodeForm(text: string): Form {
  const root: Form = {}
  let fields = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++fields > MAX_FIELDS) throw StripeError.invalid(`Too many parameters: at most ${MAX_FIELDS}.`)
    place(root, splitName(name), value, name)
  }
  return arrays(root) as Form
}

function splitName(name: string): string[] {
  const match = KEY.exec(name)
  if (!match) throw StripeError.invalid(`Invalid parameter name: ${name}`, { param: name })
  const path = [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map(part => part[1]!)]
  if (path.length > MAX_DEPTH || path.some(part => FORBIDDEN.has(part))) {
    throw StripeError.invalid(`Invalid parameter name: ${name}`, { param: name })
  }
  return path
}

function place(root: Form, path: readonly string[], value: string, name: string): void {
  let folder = root
  for (const [index, part] of path.entries()) {
    const key = part === '' ? String(Object.keys(folder).length) : part
    if (index === path.length - 1) {
      if (typeof folder[key] === 'object') throw StripeError.invalid(`Invalid object: ${name}`, { param: name })
      folder[key] = value
      return
    }
    const next = folder[key] ?? {}
    if (typeof next === 'string') throw StripeError.invalid(`Invalid object: ${name}`, { param: name })
    folder[key] = next
    folder = next as Form
  }
}

function arrays(value: FormValue): FormValue {
  if (typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, each]) => [key, arrays(each)] as const)
  if (entries.length > 0 && entries.every(([key]) => /^\d{1,4}$/.test(key))) return entries.map(([, each]) => each)
  return Object.fromEntries(entries)
}
