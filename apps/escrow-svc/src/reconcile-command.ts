/** What `reconcile.js` and `reconcile-crypto.js` read and print alike. */
import type { Posted } from './payments/post-event.js'

export const say = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Reads a time, the address of the product, and whatever follows. Ends the process with the usage when they cannot be used.
 *
 * @param earlierMs how long before the time the provider is read from
 */
export function readArguments(usage: string, earlierMs: number) {
  const [time = '', address = '', ...rest] = process.argv.slice(2)
  const since = new Date(Date.parse(time) - earlierMs)
  if (Number.isNaN(since.getTime()) || !URL.canParse(address)) {
    process.stderr.write(`${usage}\n`)
    process.exit(1)
  }
  return { since, address, rest }
}

/** Prints what became of the events, with those that were refused on stderr. With such, the process will end with status 1. */
export function sayPosted(what: string, { accepted, refused }: Posted): void {
  say(`${what}: ${accepted} accepted, ${refused.length} refused`)
  for (const line of refused) process.stderr.write(`${line}\n`)
  if (refused.length > 0) process.exitCode = 1
}
