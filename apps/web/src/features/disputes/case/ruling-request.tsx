import { adminRoutes } from 'virtual:admin-routes'
import type { RulingRequest as Request } from '@holdfast/contracts/disputes'
import { useState } from 'react'
import { Facts } from '../../../components/facts.js'
import { Money } from '../../../components/money.js'
import { Segmented } from '../../../components/segmented.js'
import { refusedFields } from '../../../lib/command-outcome.js'
import { formatDateTime } from '../../../lib/time.js'
import { ActForm } from '../../admin/shared/act-form.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { useConfirmed } from '../../security/shared/use-confirmed.js'
import { type CaseProps, paramsOf, useCaseCommand } from './case.js'
import { OUTCOME_LABELS } from './case-labels.js'
import { splitAt } from './split.view.js'

const DECISIONS = [
  { value: 'approve', label: 'Approve' },
  { value: 'reject', label: 'Reject' },
] as const

/** A ruling that waits for a second admin, and the decision about it. The parties do not see it. */
export default function RulingRequest({ dispute, request }: CaseProps & { request: Request }) {
  const { id, outcome, refundAmount, resolution, askedBy, askedAt, expiresAt } = request
  const isOwn = askedBy === 'reader'
  const [chosen, choose] = useState<'approve' | 'reject'>('approve')
  const decision = isOwn ? 'reject' : chosen
  const decide = useCaseCommand(adminRoutes.decideRuling, dispute, {
    whether: 'the ruling was decided about',
    done: decision === 'approve' ? ['Ruling approved', 'It is recorded.'] : [isOwn ? 'Taken back' : 'Ruling rejected'],
    refused: 'Nothing was decided',
  })
  const confirmed = useConfirmed()
  const send = async (reason: string) => {
    const input = { params: paramsOf(dispute), body: { requestId: id, decision, reason } }
    return refusedFields(await confirmed.run(() => decide.give(input)))
  }
  const split = dispute.settlement && splitAt(dispute.settlement, refundAmount)
  const by = isOwn ? 'you' : (dispute.mediator?.firstName ?? 'another mediator')
  return (
    <section aria-labelledby="request-title" className="grid gap-4">
      <ConfirmOnDemand confirmed={confirmed} />
      <h2 id="request-title" tabIndex={-1} className="display scroll-mt-20 text-xl outline-none">
        A ruling waits for a second admin
      </h2>
      <p className="max-w-text text-ink-soft">
        Asked for by {by}, {formatDateTime(new Date(askedAt))}. The parties do not know of it. It expires on{' '}
        {formatDateTime(new Date(expiresAt))}.
      </p>
      <Facts
        facts={[
          { label: 'Outcome', value: OUTCOME_LABELS[outcome] },
          {
            label: `Back to ${dispute.buyer.firstName}`,
            value: <Money amount={split?.refund ?? refundAmount} currency={dispute.currency} />,
          },
          ...(split === null
            ? []
            : [
                {
                  label: `To ${dispute.seller.firstName}`,
                  value: <Money amount={split.sellerNet} currency={dispute.currency} />,
                },
                { label: 'Fees', value: <Money amount={split.fees} currency={dispute.currency} /> },
              ]),
          { label: 'Reasons', value: <span className="typed">{resolution}</span> },
        ]}
      />
      <ActForm
        key={decision}
        now="It waits. Nothing is recorded yet."
        then={
          decision === 'approve'
            ? `The ruling is recorded, and both parties read it.`
            : `The ruling is ${isOwn ? 'taken back' : 'rejected'}, and the case goes on.`
        }
        label={decision === 'approve' ? 'Approve the Ruling' : isOwn ? 'Take It Back' : 'Reject the Ruling'}
        takesAway={decision === 'reject'}
        busy={decide.busy}
        send={send}
      >
        {!isOwn && <Segmented legend="Decision" options={DECISIONS} value={chosen} onChange={choose} />}
      </ActForm>
    </section>
  )
}
