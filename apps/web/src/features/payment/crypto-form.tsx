import { routes } from 'virtual:routes'
import type { CryptoPayment } from '@holdfast/contracts/payments'
import type { Transaction } from '@holdfast/contracts/transactions'
import { CRYPTO_ASSET_NAMES, CRYPTO_ASSETS, CRYPTO_QUOTE_MINUTES, type CryptoAsset } from '@holdfast/kernel/crypto'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { Select } from '../../components/select.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { refresh } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'

interface Values {
  cryptoAsset: CryptoAsset
  walletAddress: string
}

const faultsOf = ({ walletAddress }: Values) => ({
  walletAddress: walletAddress.trim() ? undefined : 'Enter the address of your wallet.',
})

/** Asks with which asset the buyer pays, and where money goes back to. `last` is what they chose before. */
export function CryptoForm({ deal: { id }, last }: { deal: Transaction; last: CryptoPayment | null }) {
  const form = useForm<Values>({
    initial: { cryptoAsset: last?.asset ?? 'bitcoin', walletAddress: last?.walletAddress ?? '' },
    validate: faultsOf,
  })
  const begin = useCommand(routes.createPayment, {
    whether: 'the address was made',
    done: () => null,
    refused: error => (error.status === 400 ? null : ['Crypto payment not possible', error.serverMessage]),
    refresh: () => refreshAfter({ kind: 'transaction', transactionId: id }),
  })
  const send = async ({ cryptoAsset, walletAddress }: Values) => {
    const outcome = await begin.give(
      {
        params: { id: String(id) },
        headers: { 'idempotency-key': '' },
        body: { method: 'crypto', cryptoAsset, walletAddress: walletAddress.trim() },
      },
      // An amount holds for some minutes only: each press asks for the present one.
      crypto.randomUUID(),
    )
    await refresh(routes.getPayment)
    return refusedFields(outcome)
  }
  const { network } = CRYPTO_ASSETS[form.values.cryptoAsset]
  return (
    <Form form={form} onSubmit={send} className="grid gap-5">
      <p className="text-ink-soft">
        You get an amount and an address. The amount holds for {CRYPTO_QUOTE_MINUTES} minutes. The seller ships when the
        network has confirmed your payment.
      </p>
      <Field label="Cryptocurrency" {...form.field('cryptoAsset')}>
        <Select>
          {CRYPTO_ASSET_NAMES.map(asset => (
            <option key={asset} value={asset}>
              {CRYPTO_ASSETS[asset].label}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label="Wallet Address"
        hint={`Your own address in the ${network} network. Money that has to go back goes there.`}
        {...form.field('walletAddress')}
      >
        <Input autoComplete="off" spellCheck={false} maxLength={120} />
      </Field>
      <div>
        <Button type="submit" busy={begin.busy}>
          Show Amount and Address
        </Button>
      </div>
    </Form>
  )
}
