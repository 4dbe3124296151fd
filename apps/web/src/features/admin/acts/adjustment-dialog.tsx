import { routes } from 'virtual:routes'
import { MAX_ADMIN_REASON_LENGTH } from '@holdfast/kernel/admin'
import { ADJUSTABLE_KINDS } from '@holdfast/kernel/ledger'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { AmountInput, Input, Textarea } from '../../../components/input.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useAct } from '../use-act.js'
import { askedWords } from '../words.js'

const ACCOUNTS_ID = 'adjustable-accounts'

export interface AdjustmentDialogProps {
  open: boolean
  close: () => void
}

/** An entry that an operator posts by hand. */
export function AdjustmentDialog({ open, close }: AdjustmentDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Adjust the ledger"
      description="Posts one entry by hand. It belongs to no deal, and moves no money at the provider or the bank."
    >
      <Adjustment onDone={close} />
    </Dialog>
  )
}

function Adjustment({ onDone }: { onDone: () => void }) {
  const form = useForm({
    initial: { debit: '', credit: '', amount: '', reason: '' },
    validate: ({ debit, credit, amount, reason }) => ({
      debit: debit.trim() === '' ? 'Name the account that is debited.' : undefined,
      credit: credit.trim() === '' ? 'Name the account that is credited.' : undefined,
      amount: /^\d+(\.\d{1,2})?$/.test(amount.trim()) ? undefined : 'Enter an amount in dollars.',
      reason: reason.trim() === '' ? 'Say why: it is kept with the act.' : undefined,
    }),
  })
  const { send, busy } = useAct(routes.adjustLedger, {
    whether: 'the entry was posted',
    done: answer => askedWords(answer, 'The entry is posted.'),
    onDone,
  })
  const { debit, credit, amount } = form.values
  return (
    <Form
      form={form}
      onSubmit={({ debit, credit, amount, reason }) =>
        send({ body: { debit: debit.trim(), credit: credit.trim(), amount: amount.trim(), currency: 'USD', reason } })
      }
      className="grid gap-4"
    >
      <datalist id={ACCOUNTS_ID}>
        {ADJUSTABLE_KINDS.map(kind => (
          <option key={kind} value={kind === 'seller_payable' ? `${kind}:` : kind} />
        ))}
      </datalist>
      <Field label="Debit" hint="Its balance falls by the amount." {...form.field('debit')}>
        <Input list={ACCOUNTS_ID} autoComplete="off" />
      </Field>
      <Field label="Credit" hint="Its balance rises by the amount." {...form.field('credit')}>
        <Input list={ACCOUNTS_ID} autoComplete="off" />
      </Field>
      <Field label="Amount" {...form.field('amount')}>
        <AmountInput symbol="$" />
      </Field>
      <p className="rounded-md bg-sunken p-3 text-sm" aria-live="polite">
        {debit && credit && amount
          ? `Afterwards ${debit} has ${amount} less and ${credit} has ${amount} more. Above the limit a second admin must approve it first.`
          : 'Name both accounts and the amount to see what changes.'}
      </p>
      <Field label="Reason" hint="It is kept in the audit log." {...form.field('reason')}>
        <Textarea rows={2} maxLength={MAX_ADMIN_REASON_LENGTH} />
      </Field>
      <Button type="submit" busy={busy} className="justify-self-end">
        {busy ? 'One moment...' : 'Post the entry'}
      </Button>
    </Form>
  )
}
