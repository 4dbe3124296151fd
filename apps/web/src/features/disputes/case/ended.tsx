import { useTransaction } from '../../deal/shared/deal.js'
import { MoneyLine } from '../../deal/shared/money-line/money-line.js'
import { RefundNotice } from '../../deal/shared/refund-notice.js'
import type { CaseProps } from './case.js'
import type { NextStep } from './next-step.view.js'

/** How a dispute ended, and where the deal and its money stand now. A mediator does not see the deal. */
export default function Ended({ dispute, step: { turn, next } }: CaseProps & { step: NextStep }) {
  const { data: deal } = useTransaction(dispute.viewerRole === 'mediator' ? null : dispute.transactionId)
  return (
    <div className="grid gap-5">
      <section aria-label="How it ended" className="border-l-2 border-ink pl-4">
        <p className="text-lg font-semibold">{turn}</p>
        <p className="max-w-text typed text-ink-soft">{next}</p>
      </section>
      {deal && <MoneyLine deal={deal} />}
      {deal && <RefundNotice deal={deal} />}
    </div>
  )
}
