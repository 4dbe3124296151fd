import type { Transaction } from '@holdfast/contracts/transactions'
import { ButtonLink } from '../../../components/button.js'
import { Turn } from '../../deal/shared/money-line/money-track.js'
import { turnInList } from './turn.view.js'
import { useDisputeOf } from './use-own-disputes.js'
import { wayToCase } from './way-to-case.js'

interface RunningCaseProps {
  deal: Pick<Transaction, 'id' | 'viewerRole' | 'buyer' | 'seller' | 'waitsForBank'>
}

/** Whose turn it is in the dispute that stops a deal, and the way to it. The money line says when the buyer’s bank decides. */
export default function RunningCase({ deal }: RunningCaseProps) {
  const dispute = useDisputeOf(deal.id)
  const turn = dispute && dispute.status !== 'closed' && !deal.waitsForBank ? turnInList(dispute, deal) : undefined
  const { to, label } = wayToCase(dispute)
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      {turn && <Turn waitsFor={turn.waitsFor} words={turn.words} />}
      <ButtonLink to={to} kind={turn?.waitsFor === 'you' ? 'primary' : 'quiet'}>
        {label}
      </ButtonLink>
    </div>
  )
}
