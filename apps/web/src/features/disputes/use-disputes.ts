import { routes } from 'virtual:routes'
import type { Dispute } from '@holdfast/contracts/disputes'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'
import { refusedFields } from '../../lib/command-outcome.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import type { Pages } from '../../lib/use-pages.js'
import { useDealPages } from '../deal/shared/deal-pages.js'
import type { CompleteDispute } from './dispute-form.js'
import { notInDispute } from './eligible.js'

/** The viewer's own disputes. */
export function useDisputes() {
  const user = useSignedInUser()
  return { user, ...useCall(routes.listDisputesOfUser, { params: { userId: user.id } }) }
}

export interface DisputableDeals
  extends Pick<Pages<Transaction>, 'hasMore' | 'isLoadingMore' | 'loadMore' | 'error' | 'retry'> {
  /** The loaded ones; undefined before the first page is there. */
  readonly deals: readonly Transaction[] | undefined
  /** Whether there is none to load either. */
  readonly isNone: boolean
}

/** The viewer's deals in one of these statuses that are in no dispute yet and can be, page by page. */
export function useDisputableDeals(
  disputes: readonly Dispute[] | undefined,
  statuses: readonly DealStatus[],
): DisputableDeals {
  const pages = useDealPages({ status: statuses })
  const deals = disputes && pages.items && notInDispute(pages.items, disputes).filter(isDisputable)
  return { ...pages, deals, isNone: deals?.length === 0 && !pages.hasMore }
}

/** A buyer accuses nobody who has not accepted the deal. Such a seller accepts it, or the buyer has the money back in time. */
const isDisputable = ({ viewerRole, sellerAccepted }: Transaction) => viewerRole === 'seller' || sellerAccepted

interface FilingWords {
  readonly refused: (reason: string) => readonly [title: string, description: string]
  readonly onFiled: () => unknown
}

/** Files a dispute. What the server refuses of a field is answered by its name. */
export function useFiling({ refused, onFiled }: FilingWords) {
  const { give, busy } = useCommand(routes.fileDispute, {
    whether: 'the dispute was filed',
    done: () => ['Dispute filed successfully', 'Every clock of the transaction has stopped.'],
    refused: error => refused(error.serverMessage),
    onDone: onFiled,
    refresh: () => refreshAfter({ kind: 'dispute' }),
  })
  const file = async (body: CompleteDispute & { readonly reporterId?: string }) => refusedFields(await give({ body }))
  return { file, busy }
}
