import { adminRoutes } from 'virtual:admin-routes'
import { MAX_ADMIN_REASON_LENGTH } from '@holdfast/kernel/admin'
import { ADJUSTABLE_KINDS } from '@holdfast/kernel/ledger'
import { DEAL_CURRENCY, isZero } from '@holdfast/kernel/money'
import { readTypedAmount } from '@holdfast/kernel/typed-amount'
import { AmountField } from '../../../components/amount-field.js'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Input, Textarea } from '../../../components/input.js'
import { type Faults, useForm } from '../../../lib/form/use-form.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { useAct } from '../use-act.js'
import { ASK_LABEL, useApprovalLimit } from '../use-approval-limit.js'
import { askedWords } from '../words.js'
import { AdjustmentPreview, type Entry, usePreview } from './adjustment-preview.js'

const ACCOUNTS_ID = 'adjustable-accounts'

interface AdjustmentDialogProps {
  open: boolean
  close: () => void
}

/** An entry that an operator posts by hand. */
export default function AdjustmentDialog({ open, close }: AdjustmentDialogProps) {
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

type Values = Readonly<Record<'debit' | 'credit' | 'amount' | 'reason', string>>

function Adjustment({ onDone }: { onDone: () => void }) {
  const form = useForm<Values>({ initial: { debit: '', credit: '', amount: '', reason: '' }, validate })
  const { send, busy, confirmed } = useAct(adminRoutes.adjustLedger, {
    whether: 'the entry was posted',
    done: answer => askedWords(answer, 'The entry is posted.'),
    onDone,
  })
  const entry = Object.values({ ...validate(form.values), reason: undefined }).some(Boolean)
    ? null
    : entryOf(form.values)
  const preview = usePreview(entry)
  const limit = useApprovalLimit()
  const field = (name: keyof Entry) => {
    const { control, error } = form.field(name)
    return { control, error: error ?? preview.faults[name] }
  }
  return (
    <>
      <ConfirmOnDemand confirmed={confirmed} />
      <Form
        form={form}
        onSubmit={values => send({ body: { ...entryOf(values), currency: DEAL_CURRENCY, reason: values.reason } })}
        className="grid gap-4"
      >
        <datalist id={ACCOUNTS_ID}>
          {ADJUSTABLE_KINDS.map(kind => (
            <option key={kind} value={kind === 'seller_payable' ? `${kind}:` : kind} />
          ))}
        </datalist>
        <Field label="Debit" hint="Its balance falls by the amount." {...field('debit')}>
          <Input list={ACCOUNTS_ID} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Credit" hint="Its balance rises by the amount." {...field('credit')}>
          <Input list={ACCOUNTS_ID} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        </Field>
        <p className="-mt-2 text-sm text-ink-soft">
          The account of a seller is <code>seller_payable:</code> and the seller’s id. Their statement under Users names
          it.
        </p>
        <AmountField
          label="Amount"
          hint={limit && `Above ${limit.words} another admin must approve it first.`}
          {...field('amount')}
          typed={form.values.amount}
        />
        <AdjustmentPreview preview={preview} />
        <Field label="Reason" hint="It is kept in the audit log." {...form.field('reason')}>
          <Textarea rows={2} maxLength={MAX_ADMIN_REASON_LENGTH} />
        </Field>
        <Button type="submit" busy={busy} className="justify-self-end">
          {busy ? 'One moment...' : limit?.isBelow(entry?.amount) ? ASK_LABEL : 'Post the entry'}
        </Button>
      </Form>
    </>
  )
}

const validate = ({ debit, credit, amount, reason }: Values): Faults<Values> => ({
  debit: debit.trim() === '' ? 'Name the account that is debited.' : undefined,
  credit: credit.trim() === '' ? 'Name the account that is credited.' : undefined,
  amount: whyNoAmount(amount),
  reason: reason.trim() === '' ? 'Say why: it is kept with the act.' : undefined,
})

function whyNoAmount(typed: string): string | undefined {
  const { amount, fault } = readTypedAmount(typed, DEAL_CURRENCY)
  return fault ?? (isZero(amount) ? 'Enter an amount above zero.' : undefined)
}

const entryOf = ({ debit, credit, amount }: Values): Entry => ({
  debit: debit.trim(),
  credit: credit.trim(),
  amount: readTypedAmount(amount, DEAL_CURRENCY).amount ?? '',
})
