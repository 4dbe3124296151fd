import { routes } from 'virtual:routes'
import type { LiveEvent } from '@holdfast/contracts/messages'
import { askAgain } from '../read-ahead.js'

/** Something changed on the server. A live event is one; a command that a page gave causes one. */
export interface Change {
  readonly kind: LiveEvent['kind'] | 'listing' | 'notifications' | 'read'
  /** The deal that changed. Without it every deal may have. */
  readonly transactionId?: number | undefined
}

type Route = { readonly path: string }

const BELL: readonly Route[] = [routes.listNotifications, routes.getUnreadNotifications]
const LISTINGS: readonly Route[] = [routes.listListings, routes.countListings, routes.getListing]
/** A deal stands in lists and figures, takes its listing off sale, and every step of it writes a message and a notification. */
const DEALS: readonly Route[] = [
  routes.getTransaction,
  routes.listTransactions,
  routes.listTransactionsOfUser,
  routes.getTransactionSummary,
  routes.getTimeline,
  routes.getLedger,
  routes.getReviewsOfDeal,
  routes.getQuote,
  routes.getPayment,
  routes.getTracking,
  routes.listMessages,
  routes.listDisputesOfUser,
  routes.getDispute,
  routes.getPayouts,
  routes.listPayments,
  ...LISTINGS,
  ...BELL,
]

/** What each change makes stale. It is the only such table: live events and commands both go through it. */
const STALE_AFTER: Record<Exclude<Change['kind'], 'reset'>, readonly Route[]> = {
  transaction: DEALS,
  dispute: DEALS,
  message: [routes.listMessages, routes.listConversations, ...BELL],
  read: [routes.listConversations, ...BELL],
  payout: [routes.getPayouts, routes.getPayoutAccount, ...BELL],
  listing: LISTINGS,
  notifications: BELL,
}

/** After a step of a deal, other services make these answers a moment later. */
const FOLLOWING: readonly Route[] = [routes.listMessages, ...BELL, ...LISTINGS]
const FOLLOWED: readonly Change['kind'][] = ['transaction', 'dispute', 'listing', 'payout']
const FOLLOWING_MS = 1_500

/** The timers of the second refreshes that have not run yet. */
const secondRefreshes = new Set<ReturnType<typeof setTimeout>>()

/** Lists of which every part has an address below theirs, such as receipts. Naming the list loads less than naming each part. */
const WITH_PARTS: readonly Route[] = [routes.getPayouts, routes.listPayments]

const isOf = (path: unknown, among: readonly Route[]) =>
  among.some(route => route.path === path || (WITH_PARTS.includes(route) && String(path).startsWith(`${route.path}/`)))
const isOfOneDeal = (path: string) => path.startsWith(routes.getTransaction.path)

/** Whether an answer, by its SWR key `[route.path, input]`, may be stale after a change. After `reset` every answer may be. */
export function isStaleAfter(change: Change, key: unknown): boolean {
  if (!Array.isArray(key)) return false
  const [path, input] = key as [unknown, { params?: { id?: unknown } } | undefined]
  if (typeof path !== 'string') return false
  if (change.kind === 'reset') return true
  if (!isOf(path, STALE_AFTER[change.kind])) return false
  return (
    !isOfOneDeal(path) ||
    change.transactionId === undefined ||
    String(input?.params?.id) === String(change.transactionId)
  )
}

const isStaleAfterAny = (changes: readonly Change[], key: unknown) => changes.some(change => isStaleAfter(change, key))

/** Whether an answer follows a change only a moment later. */
export const followsLater = (key: unknown): boolean => Array.isArray(key) && isOf(key[0], FOLLOWING)

/**
 * Asks again for everything shown that these changes may have made stale, and once more a moment later for what follows
 * them. Lists that are loaded page by page are included. Resolves when the first answers are there.
 */
export async function refreshAfter(...changes: readonly Change[]): Promise<void> {
  const followed = changes.filter(({ kind }) => FOLLOWED.includes(kind))
  if (followed.length > 0) {
    const timer = setTimeout(() => {
      secondRefreshes.delete(timer)
      void askAgain(key => followsLater(key) && isStaleAfterAny(followed, key))
    }, FOLLOWING_MS)
    secondRefreshes.add(timer)
  }
  await askAgain(key => isStaleAfterAny(changes, key))
}

/** Cancels the second refreshes of all changes so far, because the answers that they would refresh are forgotten. */
export function cancelSecondRefreshes(): void {
  for (const timer of secondRefreshes) clearTimeout(timer)
  secondRefreshes.clear()
}

const KINDS: readonly string[] = ['transaction', 'message', 'dispute', 'payout', 'reset'] satisfies LiveEvent['kind'][]

/** Reads an event off the wire; null for one that a newer server writes. */
export function readLiveEvent(data: string): LiveEvent | null {
  const event: unknown = JSON.parse(data)
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : null
  return typeof kind === 'string' && KINDS.includes(kind) ? (event as LiveEvent) : null
}
