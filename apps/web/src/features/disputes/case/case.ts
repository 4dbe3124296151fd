import { routes } from 'virtual:routes'
import type { DisputeCase, Proposal } from '@holdfast/contracts/disputes'
import type { Output, RouteDefinition } from '@holdfast/contracts/route'
import type { LightRoute } from '@holdfast/http-client/call'
import type { DisputeAction } from '@holdfast/kernel/disputes'
import { refreshAfter } from '../../../lib/live/changes.js'
import { useCall } from '../../../lib/use-call.js'
import { type Command, useCommand } from '../../../lib/use-command.js'
import { CONFIRMATION_REQUIRED } from '../../security/shared/use-confirmed.js'

/** The parties' pages are refreshed by live events. A mediator gets none of these, so their page asks again this often. */
const MEDIATOR_REFRESH_MS = 15_000

/** What a section of the case page gets. */
export interface CaseProps {
  dispute: DisputeCase
}

/** One dispute with everything that its reader may see; null asks nothing. */
export function useCase(id: number | null) {
  return useCall(routes.getDispute, id === null ? null : { params: { id: String(id) } }, {
    refreshInterval: latest => (latest?.viewerRole === 'mediator' ? MEDIATOR_REFRESH_MS : 0),
  })
}

/** Whether the reader may do one of these things now. */
export const may = ({ actions }: Pick<DisputeCase, 'actions'>, ...any: readonly DisputeAction[]): boolean =>
  any.some(action => actions.includes(action))

/**
 * Whether the form of a ruling is shown. A ruling that waits for a second admin is approved, rejected or taken back first, unless the next one
 * needs no second admin: that takes its place.
 */
export const mayRuleNow = (dispute: DisputeCase): boolean =>
  may(dispute, 'rule') && (dispute.rulingRequest === null || dispute.settlement?.needsSecondAdmin === false)

/**
 * The proposal of the other party that waits for the reader’s answer. Another amount from the reader is an answer, and after a ruling
 * the ruling matters more. While the buyer’s bank decides, nothing can be accepted.
 */
export function waitingProposal({
  proposals,
  actions,
  status,
  turn,
  viewerRole,
}: Pick<DisputeCase, 'proposals' | 'actions' | 'status' | 'turn' | 'viewerRole'>): Proposal | undefined {
  if (status === 'resolved' || turn === 'bank' || !may({ actions }, 'declineProposal')) return undefined
  const latest = proposals.findLast(({ state }) => state === 'open')
  return latest?.role === viewerRole ? undefined : latest
}

/** Whether the reader has a time limit to answer what the other side says. */
export const isToAnswer = ({ clocks, viewerRole }: Pick<DisputeCase, 'clocks' | 'viewerRole'>): boolean =>
  viewerRole !== 'mediator' &&
  clocks.some(({ kind, turn }) => kind === 'response' && (turn === viewerRole || turn === 'both'))

/** Whether the carrier says that the item is back with the seller. */
export const isBack = (dispute: Pick<DisputeCase, 'return'>): boolean => Boolean(dispute.return?.deliveredAt)

export const paramsOf = ({ id }: Pick<DisputeCase, 'id'>) => ({ id: String(id) })

type DoneWords = readonly [title: string, text?: string]

interface CommandWords<R extends RouteDefinition> {
  /** Completes "We could not tell whether …". */
  readonly whether: string
  /** A function where they depend on the answer. */
  readonly done: DoneWords | ((answer: Output<R>) => DoneWords)
  /** The title of a refusal; the server says why. */
  readonly refused: string
  readonly timeoutMs?: number
}

/**
 * A command on a case. However it ended, the page then shows the case as the server has it. The form of one whose route `needsProof` shows
 * `ConfirmOnDemand`.
 */
export function useCaseCommand<R extends RouteDefinition>(
  route: LightRoute<R>,
  { transactionId }: Pick<DisputeCase, 'transactionId'>,
  { whether, done, refused, timeoutMs }: CommandWords<R>,
): Command<R> {
  return useCommand(route, {
    whether,
    done: answer => (typeof done === 'function' ? done(answer) : done),
    refused: error => (error.code === CONFIRMATION_REQUIRED ? null : [refused, error.serverMessage]),
    refresh: () => refreshAfter({ kind: 'dispute', transactionId }),
    ...(timeoutMs ? { timeoutMs } : {}),
  })
}
