import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import type { ApiError } from '@holdfast/http-client/api-error'
import type { LightRoute } from '@holdfast/http-client/call'
import { useRef } from 'react'
import useSWRMutation from 'swr/mutation'
import { request } from './api.js'
import { type Outcome, outcomeOfFailure, unknownWords } from './command-outcome.js'
import { toast, toastError } from './toast.js'

type ToastWords = readonly [title: string, description?: string]

interface CommandOptions<R extends RouteDefinition> {
  /** Completes "We could not tell whether …": 'the item was accepted'. */
  readonly whether: string
  /** The toast after success; null shows none. */
  readonly done: (answer: Output<R>, input: Input<R>) => ToastWords | null
  /** The toast after a refusal; null shows none, where the page shows the refusal itself. */
  readonly refused: (error: ApiError) => ToastWords | null
  /** Whether the page itself shows that the outcome is unknown. There is no toast then. */
  readonly showsUnknown?: boolean
  /** Asks again for everything the command may have changed. It runs after every outcome, refusals included. */
  readonly refresh: () => Promise<unknown>
  /** Runs after success and before the refresh: what must not wait for it, such as leaving the page. */
  readonly onDone?: (answer: Output<R>, input: Input<R>) => unknown
  readonly timeoutMs?: number
}

export interface Command<R extends RouteDefinition> {
  /**
   * Gives the command and answers how it ended, after the refresh. Answers null, and sends nothing, while an earlier one
   * is still busy.
   *
   * @param key the idempotency key, from a page that keeps it longer than itself
   */
  readonly give: (input: Input<R>, key?: string) => Promise<Outcome<Output<R>> | null>
  readonly busy: boolean
  /** How the last one ended; null before the first and while one is busy. */
  readonly outcome: Outcome<Output<R>> | null
  /** Makes `outcome` null again. */
  readonly forget: () => void
}

/**
 * The one way to change something on the server: while it runs it is busy, afterwards a toast says how it ended and the
 * page shows what the server has. The idempotency key stays the same while the same input is tried again, so that the
 * server does it once; another input, and the same input after a success, get a new key.
 */
export function useCommand<R extends RouteDefinition>(route: LightRoute<R>, options: CommandOptions<R>): Command<R> {
  const keys = useIdempotencyKeys()
  const underWay = useRef(false)
  const { trigger, data, isMutating, reset } = useSWRMutation<
    Outcome<Output<R>>,
    Error,
    string,
    { readonly input: Input<R>; readonly key: string | undefined }
  >(
    // No answer is kept under this key: it only separates one command from another.
    `command ${route.method} ${route.path}`,
    (_, { arg }) => carryOut(route, arg.input, arg.key ?? keys.keyOf(arg.input), keys, options),
  )

  async function give(input: Input<R>, key?: string): Promise<Outcome<Output<R>> | null> {
    // A second click comes before the button is disabled.
    if (underWay.current) return null
    underWay.current = true
    try {
      return await trigger({ input, key })
    } finally {
      underWay.current = false
    }
  }

  return { give, busy: isMutating, outcome: isMutating ? null : (data ?? null), forget: reset }
}

async function carryOut<R extends RouteDefinition>(
  route: LightRoute<R>,
  input: Input<R>,
  idempotencyKey: string,
  keys: IdempotencyKeys,
  { whether, done, refused, showsUnknown = false, refresh, onDone, timeoutMs }: CommandOptions<R>,
): Promise<Outcome<Output<R>>> {
  const outcome = await send(route, input, { idempotencyKey, ...(timeoutMs ? { timeoutMs } : {}) })
  switch (outcome.kind) {
    case 'done': {
      keys.end()
      const words = done(outcome.answer, input)
      if (words) toast(...words)
      await onDone?.(outcome.answer, input)
      break
    }
    case 'refused': {
      const words = refused(outcome.error)
      if (words) toastError(...words)
      break
    }
    case 'unknown':
      console.warn(`whether ${whether} is unknown`, outcome.error)
      if (!showsUnknown) toastError(...unknownWords(whether))
  }
  // The command has ended either way. A query that fails now shows that on the page.
  await refresh().catch((error: unknown) => console.warn('asking again after a command failed', error))
  return outcome
}

/** How often a command is given again that the server was too busy to begin, and below which time the server must ask for it. */
const RETRIES = 2
const LONGEST_WAIT_SECONDS = 5

async function send<R extends RouteDefinition>(
  route: LightRoute<R>,
  input: Input<R>,
  options: Parameters<typeof request>[2],
  retries = RETRIES,
): Promise<Outcome<Output<R>>> {
  try {
    return { kind: 'done', answer: await request(route, input, options) }
  } catch (error) {
    const outcome = outcomeOfFailure(error)
    // UNAVAILABLE without an unknown outcome says that nothing was done.
    const { code, retryAfterSeconds = LONGEST_WAIT_SECONDS } = outcome.error as ApiError
    const mayRepeat = retries && outcome.kind === 'refused' && code === 'UNAVAILABLE'
    if (!mayRepeat || retryAfterSeconds >= LONGEST_WAIT_SECONDS) return outcome
    await new Promise(resolve => setTimeout(resolve, retryAfterSeconds * 1000))
    // With the same idempotency key: the server does it once.
    return send(route, input, options, retries - 1)
  }
}

interface IdempotencyKeys {
  /** The key for this input: the one of the last try if that had the same input. */
  readonly keyOf: (input: unknown) => string
  /** The command succeeded: giving it once more is another command. */
  readonly end: () => void
}

function useIdempotencyKeys(): IdempotencyKeys {
  const last = useRef<{ readonly input: string; readonly key: string }>(null)
  return {
    keyOf(input) {
      const text = JSON.stringify(input)
      if (last.current?.input !== text) last.current = { input: text, key: crypto.randomUUID() }
      return last.current.key
    },
    end() {
      last.current = null
    },
  }
}
