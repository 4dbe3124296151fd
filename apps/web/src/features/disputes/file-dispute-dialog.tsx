import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { type DisputeReason, MAX_DISPUTE_DESCRIPTION_LENGTH } from '@holdfast/kernel/disputes'
import { displayAmount } from '@holdfast/kernel/money'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Field } from '../../components/field.js'
import { Textarea } from '../../components/input.js'
import { Select } from '../../components/select.js'
import { toast, toastError } from '../../components/toast-store.js'
import { request, serverWords } from '../../lib/api.js'
import { DIALOG_REASONS } from './dispute-labels.js'
import { refreshDisputes } from './use-disputes.js'

const FAILED = 'Failed to create dispute. Please try again.'

interface FileDisputeDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  transactions: readonly Transaction[]
  reporterId: string
}

export function FileDisputeDialog({ open, onOpenChange, transactions, reporterId }: FileDisputeDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="File New Dispute"
      description="The transaction is placed on hold until resolution. The money stays where it is."
    >
      <DisputeForm transactions={transactions} reporterId={reporterId} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface DisputeFormProps extends Pick<FileDisputeDialogProps, 'transactions' | 'reporterId'> {
  onDone: () => void
}

function DisputeForm({ transactions, reporterId, onDone }: DisputeFormProps) {
  const [transactionId, setTransactionId] = useState('')
  const [reason, setReason] = useState<DisputeReason | ''>('')
  const [description, setDescription] = useState('')
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (reason === '') return
    setBusy(true)
    try {
      await request(routes.fileDispute, {
        body: { transactionId: Number(transactionId), reason, description: description.trim(), reporterId },
      })
      await refreshDisputes()
      toast('Dispute filed successfully', 'Every clock of the transaction has stopped.')
      onDone()
    } catch (error) {
      toastError(FAILED, serverWords(error, ''))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="Transaction">
        <Select value={transactionId} onChange={event => setTransactionId(event.target.value)} required>
          <option value="" disabled>
            Select a transaction
          </option>
          {transactions.map(({ id, listing, amount, currency }) => (
            <option key={id} value={id}>
              {listing.title}, {displayAmount(amount, currency)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Reason">
        <Select value={reason} onChange={event => setReason(event.target.value as DisputeReason)} required>
          <option value="" disabled>
            Select a reason
          </option>
          {DIALOG_REASONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Description" hint="What happened, and what you want. Facts and dates help most.">
        <Textarea
          rows={5}
          value={description}
          onChange={event => setDescription(event.target.value)}
          required
          maxLength={MAX_DISPUTE_DESCRIPTION_LENGTH}
        />
      </Field>
      <Button
        type="submit"
        busy={busy}
        disabled={transactionId === '' || reason === '' || description.trim() === ''}
        className="justify-self-end"
      >
        {busy ? 'Filing...' : 'File Dispute'}
      </Button>
    </form>
  )
}
