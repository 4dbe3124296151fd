import { routes } from 'virtual:routes'
import type { LiveEvent } from '@holdfast/contracts/messages'
import { DEAL_ROUTES } from '../transaction.js'

/** Answers that name one deal: an event about another deal leaves them fresh. */
const ONE_DEAL: ReadonlySet<string> = new Set(
  [routes.getTransaction, routes.getTimeline, routes.getLedger, routes.getQuote, routes.listMessages].map(
    route => route.path,
  ),
)

/** Answers that another service makes of the same event: they follow a moment later. */
const FOLLOWING: ReadonlySet<string> = new Set([routes.listMessages.path, routes.listNotifications.path])

const CHANGED: Record<Exclude<LiveEvent['kind'], 'reset'>, ReadonlySet<string>> = {
  transaction: new Set([...DEAL_ROUTES, routes.listDisputesOfUser, routes.getDispute].map(route => route.path)),
  message: new Set([routes.listMessages.path, routes.listNotifications.path]),
  dispute: new Set([...DEAL_ROUTES, routes.listDisputesOfUser, routes.getDispute].map(route => route.path)),
}

/** Whether an answer, by its SWR key `[route.path, input]`, may have changed. `reset` leaves nothing certain. */
export function isAffected(event: LiveEvent, key: unknown): boolean {
  if (!Array.isArray(key)) return false
  const [path, input] = key as [unknown, { params?: { id?: unknown } } | undefined]
  if (typeof path !== 'string') return false
  if (event.kind === 'reset') return true
  if (!CHANGED[event.kind].has(path)) return false
  return (
    !ONE_DEAL.has(path) ||
    event.transactionId === undefined ||
    String(input?.params?.id) === String(event.transactionId)
  )
}

/** Whether an affected answer is made from the event only a moment later, and must be asked for once more then. */
export const followsLater = (key: unknown): boolean => Array.isArray(key) && FOLLOWING.has(String(key[0]))

const KINDS: readonly string[] = ['transaction', 'message', 'dispute', 'reset'] satisfies LiveEvent['kind'][]

/** Reads an event off the wire; null for one that a newer server writes. */
export function readLiveEvent(data: string): LiveEvent | null {
  const event: unknown = JSON.parse(data)
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : null
  return typeof kind === 'string' && KINDS.includes(kind) ? (event as LiveEvent) : null
}
