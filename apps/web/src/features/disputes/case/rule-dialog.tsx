import { adminRoutes } from 'virtual:admin-routes'
import type { DisputeCase } from '@holdfast/contracts/disputes'
import { DISPUTE_CLOCK_DAYS, type RulingOutcome } from '@holdfast/kernel/disputes'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Facts } from '../../../components/facts.js'
import { Money } from '../../../components/money.js'
import { Notice } from '../../../components/notice.js'
import type { Outcome } from '../../../lib/command-outcome.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { CONFIRMATION_REQUIRED, useConfirmed } from '../../security/shared/use-confirmed.js'
import { paramsOf, useCaseCommand } from './case.js'
import { OUTCOME_LABELS } from './case-labels.js'
import type { Split } from './split.view.js'

/** A ruling that is ready to be recorded. */
export interface ReadyRuling {
  readonly outcome: RulingOutcome
  /** Only of a partial refund. */
  readonly refundAmount?: string
  readonly resolution: string
}

interface RuleDialogProps {
  open: boolean
  onClose: () => void
  dispute: DisputeCase
  ruling: ReadyRuling
  /** What each gets when it is carried out. */
  split: Split
  isFinal: boolean
  /** The idempotency key: a ruling that is sent twice is recorded once. */
  requestKey: string
  onSent: (outcome: Outcome<unknown> | null) => void
}

/** The question before a ruling: what it does to the money, and what happens next. */
export function RuleDialog({ open, onClose, dispute, ruling, split, isFinal, requestKey, onSent }: RuleDialogProps) {
  const rule = useCaseCommand(adminRoutes.ruleDispute, dispute, {
    whether: 'the ruling was recorded',
    done: ({ approvalId }) => (approvalId === null ? recordedWords(isFinal) : WAITS),
    refused: 'The ruling was not recorded',
  })
  const confirmed = useConfirmed()
  const send = async () => {
    const headers = { 'idempotency-key': requestKey }
    const sent = await rule.give({ params: paramsOf(dispute), headers, body: ruling }, requestKey)
    // The question stays while its reader shows who they are. Then the ruling is sent again.
    if (sent?.kind === 'refused' && sent.error.code === CONFIRMATION_REQUIRED) return sent
    onClose()
    onSent(sent)
    return sent
  }
  const { currency, buyer, seller, takenBy, settlement } = dispute
  const needsSecond = settlement?.needsSecondAdmin ?? false
  return (
    <>
      <AlertDialog
        open={open}
        onClose={onClose}
        title={needsSecond ? 'Ask a second admin?' : isFinal ? 'Record this final decision?' : 'Record this ruling?'}
        description={
          needsSecond
            ? `This follows when it is approved. ${whatFollows(dispute, ruling.outcome, isFinal)} You can take it back before.`
            : `${whatFollows(dispute, ruling.outcome, isFinal)} You cannot change it afterwards.`
        }
        basis={[ruling, split, takenBy, needsSecond]}
        confirm={needsSecond ? 'Ask for Approval' : isFinal ? 'Record the Final Decision' : 'Record the Ruling'}
        busyWords="Recording..."
        busy={rule.busy}
        onConfirm={() => void confirmed.run(send)}
      >
        <div className="grid gap-4">
          {needsSecond && (
            <Notice tone="needs" title="A second admin must approve it">
              The deal holds more than one admin may decide about alone. The parties learn of the ruling when it is
              approved.
            </Notice>
          )}
          <Facts
            facts={[
              { label: 'Outcome', value: OUTCOME_LABELS[ruling.outcome] },
              { label: `Back to ${buyer.firstName}`, value: <Money amount={split.refund} currency={currency} /> },
              { label: `To ${seller.firstName}`, value: <Money amount={split.sellerNet} currency={currency} /> },
              { label: 'Fees', value: <Money amount={split.fees} currency={currency} /> },
            ]}
          />
        </div>
      </AlertDialog>
      <ConfirmOnDemand confirmed={confirmed} />
    </>
  )
}

const recordedWords = (isFinal: boolean) =>
  isFinal
    ? (['Final decision recorded', 'It is carried out now.'] as const)
    : (['Ruling recorded', `Both parties can read it and appeal within ${DISPUTE_CLOCK_DAYS.appeal} days.`] as const)
const WAITS = ['A second admin is asked', 'The ruling is recorded when they approve it.'] as const

/** What happens after the button. */
function whatFollows({ buyer, seller }: DisputeCase, outcome: RulingOutcome, isFinal: boolean): string {
  const { appeal, return_shipping } = DISPUTE_CLOCK_DAYS
  const goesBack = `${buyer.firstName} has ${return_shipping} days to send the item back. The money moves as shown when it is back; when nothing is shipped, ${seller.firstName} is paid.`
  const isReturn = outcome === 'return_exchange'
  if (isFinal) return isReturn ? `It is final. ${goesBack}` : 'It is final: the money moves at once.'
  return `Both parties are notified and can appeal within ${appeal} days. The money stays held until then. ${isReturn ? `Then ${goesBack}` : 'Then it moves as shown.'}`
}
