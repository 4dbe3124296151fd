import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { ButtonLink } from '../../../components/button.js'
import { TextLink } from '../../../components/link.js'
import { classes } from '../../../lib/class-names.js'
import { useSignedInUser } from '../../../lib/current-user.js'
import { paths } from '../../../lib/paths.js'
import { useCall } from '../../../lib/use-call.js'
import { turnOf } from './turn.view.js'

/** The reader's latest dispute about a deal; undefined while it is not known. */
function useDisputeOf(transactionId: number) {
  const { id: userId } = useSignedInUser()
  const { data } = useCall(routes.listDisputesOfUser, { params: { userId } })
  return { userId, dispute: data?.find(each => each.transactionId === transactionId) }
}

/** The way from a deal to its dispute: to the case of the latest one, or to the list while that is not known. */
export function CaseLink({ transactionId }: { transactionId: number }) {
  const { dispute } = useDisputeOf(transactionId)
  return (
    <TextLink to={dispute ? paths.dispute(dispute.id) : paths.disputes}>
      {dispute ? 'Open the case' : 'See the dispute'}
    </TextLink>
  )
}

interface RunningCaseProps {
  deal: Pick<Transaction, 'id' | 'buyer' | 'seller' | 'waitsForBank'>
}

/** Whose turn it is in the dispute that stops a deal, and the way to it. While the buyer’s bank decides it is no party’s turn. */
export function RunningCase({ deal: { id, buyer, seller, waitsForBank } }: RunningCaseProps) {
  const { userId, dispute } = useDisputeOf(id)
  const turn =
    dispute && !waitsForBank ? turnOf(dispute, userId, { buyer: buyer.firstName, seller: seller.firstName }) : undefined
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      {turn && <p className={classes('font-semibold', turn.isMine && 'text-needs')}>{turn.words}</p>}
      <ButtonLink to={dispute ? paths.dispute(dispute.id) : paths.disputes} kind={turn?.isMine ? 'primary' : 'quiet'}>
        {dispute ? 'Open the case' : 'See the dispute'}
      </ButtonLink>
    </div>
  )
}
