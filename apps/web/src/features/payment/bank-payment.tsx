import { routes } from 'virtual:routes'
import type { BankTransfer } from '@holdfast/contracts/payments'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { ApiError } from '@holdfast/http-client/api-error'
import { displayAmount, isZero } from '@holdfast/kernel/money'
import { Button } from '../../components/button.js'
import { CopyButton } from '../../components/copy-button.js'
import { Notice } from '../../components/notice.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { formatDeadline } from '../../lib/time.js'
import { refresh } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { SendConfirmation } from '../auth/shared/send-confirmation.js'
import { useArrivingMoney } from './use-arriving-money.js'

interface BankPaymentProps {
  deal: Transaction
  /** The bank details of the open payment; null before the buyer asks for them. */
  transfer: BankTransfer | null
  /** Whether the bank has taken the latest transfer back. */
  wasReturned: boolean
}

/** Paying by bank transfer: the buyer gets bank details, and the page shows what has arrived. */
export default function BankPayment({ deal, transfer, wasReturned }: BankPaymentProps) {
  return transfer ? <Details deal={deal} transfer={transfer} /> : <Begin deal={deal} wasReturned={wasReturned} />
}

const NOT_POSSIBLE = 'Bank transfer not possible'

/** The page shows this refusal itself, with the way out. */
const isUnconfirmed = ({ code }: ApiError) => code === 'EMAIL_NOT_CONFIRMED'

function Begin({ deal: { id }, wasReturned }: Omit<BankPaymentProps, 'transfer'>) {
  const begin = useCommand(routes.createPayment, {
    whether: 'the bank transfer was prepared',
    done: () => null,
    refused: error => (isUnconfirmed(error) ? null : [NOT_POSSIBLE, error.serverMessage]),
    refresh: () => refreshAfter({ kind: 'transaction', transactionId: id }),
  })
  const start = async () => {
    await begin.give(
      { params: { id: String(id) }, headers: { 'idempotency-key': '' }, body: { method: 'bank' } },
      crypto.randomUUID(),
    )
    await refresh(routes.getPayment)
  }
  const { outcome } = begin
  const refusal = outcome?.kind === 'refused' && isUnconfirmed(outcome.error) ? outcome.error : null
  return (
    <div className="grid gap-5">
      {refusal && (
        <Notice tone="trouble" alert title={NOT_POSSIBLE} action={<SendConfirmation />}>
          {refusal.serverMessage}
        </Notice>
      )}
      {wasReturned && (
        <Notice tone="trouble" title="Your bank took the transfer back">
          The money of that transfer is not held. Ask your bank about it. You can pay again, by bank or by card.
        </Notice>
      )}
      <p className="text-ink-soft">
        You transfer the money from your bank to an account that is for this payment alone. With its details you read
        until when the money must arrive. The seller ships when your bank has confirmed the transfer.
      </p>
      <div>
        <Button onClick={start} busy={begin.busy}>
          Show Bank Details
        </Button>
      </div>
    </div>
  )
}

function Details({ deal, transfer }: { deal: Transaction; transfer: BankTransfer }) {
  const { id, clock } = deal
  useArrivingMoney(id)
  const { currency, received, missing } = transfer
  const rows = [
    ['Amount', displayAmount(missing, currency), missing],
    ['Account holder', transfer.accountHolder, transfer.accountHolder],
    ['Account number', transfer.accountNumber, transfer.accountNumber],
    ['Routing number', transfer.routingNumber, transfer.routingNumber],
    ['Bank', transfer.bankName, transfer.bankName],
    ['Reference', transfer.reference, transfer.reference],
  ] as const
  return (
    <div className="grid gap-5">
      {isZero(received) ? (
        <p role="status" className="font-semibold">
          Waiting for your bank transfer
        </p>
      ) : (
        <div role="status">
          <Notice tone="needs" title={`${displayAmount(missing, currency)} is missing`}>
            {displayAmount(received, currency)} has arrived. Please transfer the rest to the same account.
          </Notice>
        </div>
      )}
      <dl className="border-y border-rule">
        {rows.map(([label, shown, copied]) => (
          <div
            key={label}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 border-rule border-t py-2 first:border-t-0"
          >
            <dt className="text-ink-soft text-sm">{label}</dt>
            <dd className="figures min-w-0 break-words font-semibold">{shown}</dd>
            <dd className="col-start-2 row-span-2 row-start-1">
              <CopyButton label={label} text={copied} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-2 text-ink-soft text-sm">
        {clock && (
          <p>
            The money must arrive by {formatDeadline(new Date(clock.dueAt), new Date())}. Otherwise the transaction is
            cancelled, and what has arrived goes back to your bank.
          </p>
        )}
        <p>
          If you transfer too much, or after that time, what is too much goes back to the account from which it came.
          The payment provider may ask you by e-mail for the details of that account.
        </p>
        <p>You can leave this page. We notify you when the money has arrived.</p>
      </div>
    </div>
  )
}
