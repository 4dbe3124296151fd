import type { Transaction } from '@holdfast/contracts/transactions'
import { useState } from 'react'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { Facts } from '../../../components/facts.js'
import { Money } from '../../../components/money.js'
import { type ConfirmedCommand, commandWords } from './command-words.js'

interface CommandDialogProps {
  deal: Transaction
  /** The command asked about; null shows nothing. */
  command: ConfirmedCommand | null
  onClose: () => void
  onConfirm: (command: ConfirmedCommand) => Promise<unknown>
}

/** The question before a command: what it does to the money, to the cent. */
export function CommandDialog({ deal, command, onClose, onConfirm }: CommandDialogProps) {
  const [busy, setBusy] = useState(false)
  if (!command) return null
  const words = commandWords(command, deal)
  const confirm = async () => {
    setBusy(true)
    await onConfirm(command)
    setBusy(false)
    onClose()
  }
  return (
    <AlertDialog
      open
      onClose={onClose}
      title={words.title}
      description={words.question}
      basis={[deal.status, deal.money, words.split]}
      confirm={words.confirm}
      busyWords={words.busy}
      kind={command === 'refund' || command === 'cancel' ? 'trouble' : 'primary'}
      busy={busy}
      onConfirm={() => void confirm()}
    >
      {words.split.length > 0 && (
        <Facts
          facts={[...words.split, { label: 'Held now', amount: deal.money.held }].map(({ label, amount }) => ({
            label,
            value: <Money amount={amount} currency={deal.currency} />,
          }))}
        />
      )}
    </AlertDialog>
  )
}
