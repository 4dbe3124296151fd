import { adminRoutes } from 'virtual:admin-routes'
import { readId } from '@holdfast/contracts/pages'
import { MAX_ADMIN_REASON_LENGTH } from '@holdfast/kernel/admin'
import { DEAL_CURRENCY, displayAmount } from '@holdfast/kernel/money'
import { useState } from 'react'
import { Dialog } from '../../../components/dialog.js'
import { Field } from '../../../components/field.js'
import { Input, Textarea } from '../../../components/input.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'
import { ASK_LABEL, useApprovalLimit, withApproval } from '../use-approval-limit.js'
import { useBalance } from '../use-balance.js'
import { askedWords } from '../words.js'

interface ForceRefundDialogProps {
  open: boolean
  close: () => void
}

/** The refund of a deal by an operator. */
export default function ForceRefundDialog({ open, close }: ForceRefundDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Refund a deal"
      description="Everything that the deal holds goes back to its buyer, and the deal is cancelled. A dispute about it ends."
    >
      <ForceRefund onDone={close} />
    </Dialog>
  )
}

function ForceRefund({ onDone }: { onDone: () => void }) {
  const [number, setNumber] = useState('')
  const [reasonForParties, setReasonForParties] = useState('')
  const [faults, setFaults] = useState<{ number?: string; reason?: string }>({})
  const { send, busy, confirmed } = useAct(adminRoutes.forceRefund, {
    whether: 'the deal was refunded',
    done: answer => askedWords(answer, 'The deal is cancelled, and the refund is sent.'),
    onDone,
  })
  const id = readId(number.trim())
  const held = useBalance('hold', id === null ? null : String(id))
  const limit = useApprovalLimit()
  const holdsMoney = held != null && Number(held) > 0
  const waits = limit?.isBelow(held) ?? false
  return (
    <>
      <ConfirmOnDemand confirmed={confirmed} />
      <ActForm
        now={id === null ? 'Enter the transaction to see what it holds.' : nowOf(id, held)}
        then={withApproval(
          limit,
          holdsMoney ? held : null,
          `${holdsMoney ? `${displayAmount(held, DEAL_CURRENCY)} goes` : 'All that it holds goes'} back to the buyer, and the deal is cancelled.`,
        )}
        label={waits ? ASK_LABEL : 'Refund in full'}
        takesAway={!waits}
        busy={busy}
        send={async reason => {
          const isGiven = reasonForParties.trim() !== ''
          setFaults({
            ...(id === null && { number: 'Enter the number of a transaction.' }),
            ...(!isGiven && { reason: 'Say what the buyer and the seller read.' }),
          })
          if (id === null || !isGiven) return undefined
          return send({ params: { id: String(id) }, body: { reason, reasonForParties } })
        }}
      >
        <Field label="Transaction" error={faults.number}>
          <Input inputMode="numeric" value={number} onChange={event => setNumber(event.target.value)} />
        </Field>
        <Field
          label="Reason for the parties"
          hint="The buyer and the seller read it: in the history, the chat and their notifications."
          error={faults.reason}
        >
          <Textarea
            rows={2}
            maxLength={MAX_ADMIN_REASON_LENGTH}
            value={reasonForParties}
            onChange={event => setReasonForParties(event.target.value)}
          />
        </Field>
      </ActForm>
    </>
  )
}

function nowOf(id: number, held: string | null | undefined): string {
  if (held === undefined) return '…'
  if (held === null) return `Nothing was ever paid for a transaction ${id}.`
  return Number(held) === 0
    ? `Transaction ${id} holds nothing: there is nothing to refund.`
    : `Transaction ${id} holds ${displayAmount(held, DEAL_CURRENCY)}.`
}
