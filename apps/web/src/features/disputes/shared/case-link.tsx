import type { Transaction } from '@holdfast/contracts/transactions'
import { ButtonLink } from '../../../components/button.js'
import { TextLink } from '../../../components/link.js'
import { paths } from '../../../lib/paths.js'
import { Turn } from '../../deal/shared/money-line/money-line.js'
import { turnInList } from './turn.view.js'
import { useOwnDisputes } from './use-turns.js'

/** The reader's latest dispute about a deal; undefined while it is not known. */
const useDisputeOf = (transactionId: number) =>
  useOwnDisputes().data?.find(each => each.transactionId === transactionId)

/** The way from a deal to its dispute: to the case of the latest one, or to the list while that is not known. */
export function CaseLink({ transactionId }: { transactionId: number }) {
  const dispute = useDisputeOf(transactionId)
  return (
    <TextLink to={dispute ? paths.dispute(dispute.id) : paths.disputes}>
      {dispute ? 'Open the case' : 'See the dispute'}
    </TextLink>
  )
}

interface RunningCaseProps {
  deal: Pick<Transaction, 'id' | 'viewerRole' | 'buyer' | 'seller' | 'waitsForBank'>
}

/** Whose turn it is in the dispute that stops a deal, and the way to it. The money line says when the buyer’s bank decides. */
export function RunningCase({ deal }: RunningCaseProps) {
  const dispute = useDisputeOf(deal.id)
  const turn = dispute && dispute.status !== 'closed' && !deal.waitsForBank ? turnInList(dispute, deal) : undefined
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      {turn && <Turn waitsFor={turn.waitsFor} words={turn.words} />}
      <ButtonLink
        to={dispute ? paths.dispute(dispute.id) : paths.disputes}
        kind={turn?.waitsFor === 'you' ? 'primary' : 'quiet'}
      >
        {dispute ? 'Open the case' : 'See the dispute'}
      </ButtonLink>
    </div>
  )
}
