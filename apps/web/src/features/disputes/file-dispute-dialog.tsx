import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { displayAmount } from '@holdfast/kernel/money'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Field } from '../../components/field.js'
import { Select } from '../../components/select.js'
import { request, serverWords } from '../../lib/api.js'
import { toast, toastError } from '../../lib/toast.js'
import { complete, EMPTY_DRAFT } from './dispute-draft.js'
import { DisputeFields } from './dispute-fields.js'
import { DIALOG_REASONS } from './dispute-labels.js'
import { refreshDisputes } from './use-disputes.js'

const FAILED = 'Failed to create dispute. Please try again.'

interface FileDisputeDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  deals: readonly Transaction[]
  reporterId: string
}

export function FileDisputeDialog({ open, onOpenChange, deals, reporterId }: FileDisputeDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="File New Dispute"
      description="The transaction is placed on hold until resolution. The money stays where it is."
    >
      <DisputeForm deals={deals} reporterId={reporterId} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface DisputeFormProps extends Pick<FileDisputeDialogProps, 'deals' | 'reporterId'> {
  onDone: () => void
}

function DisputeForm({ deals, reporterId, onDone }: DisputeFormProps) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const filed = complete(draft)
    if (!filed) return
    setBusy(true)
    try {
      await request(routes.fileDispute, { body: { ...filed, reporterId } })
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
        <Select
          value={draft.transactionId ?? ''}
          onChange={event => setDraft({ ...draft, transactionId: Number(event.target.value) })}
          required
        >
          <option value="" disabled>
            Select a transaction
          </option>
          {deals.map(({ id, listing, amount, currency }) => (
            <option key={id} value={id}>
              {listing.title}, {displayAmount(amount, currency)}
            </option>
          ))}
        </Select>
      </Field>
      <DisputeFields reasons={DIALOG_REASONS} draft={draft} onChange={setDraft} rows={5} />
      <Button type="submit" busy={busy} disabled={!complete(draft)} className="justify-self-end">
        {busy ? 'Filing...' : 'File Dispute'}
      </Button>
    </form>
  )
}
