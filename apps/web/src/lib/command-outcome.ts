import { ApiError, ConnectionError } from '@holdfast/http-client/api-error'

/** How a command ended. `unknown` means that it may have been carried out or not. */
export type Outcome<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'unknown'; readonly error: ApiError | ConnectionError }

/**
 * Sorts the failure of a command. A refusal is the server's own word that it did not do it. Everything else leaves open
 * whether it was done: no answer, an answer that says so, and a server error without a code of ours.
 *
 * @throws what is no failure of a call, such as a fault in this page
 */
export function outcomeOfFailure(error: unknown): Exclude<Outcome<never>, { kind: 'done' }> {
  if (error instanceof ConnectionError) return { kind: 'unknown', error }
  if (!(error instanceof ApiError)) throw error
  return { kind: leavesOpen(error) ? 'unknown' : 'refused', error }
}

// The gateway marks an answer whose service went away in the middle. INTERNAL is also the code of a proxy's error page.
const leavesOpen = ({ status, code, details }: ApiError) =>
  details?.outcome === 'unknown' || (status >= 500 && code === 'INTERNAL')

/** The title and the text for an unknown outcome. `whether` completes the sentence: 'the item was accepted'. */
export const unknownWords = (whether: string) =>
  [`We could not tell whether ${whether}.`, 'Look again before you repeat it.'] as const

/** The server's message for each refused field, by the names of the request's body. */
export const refusedFields = (outcome: Outcome<unknown> | null): Readonly<Record<string, string>> =>
  outcome?.kind === 'refused' ? outcome.error.fields : {}
