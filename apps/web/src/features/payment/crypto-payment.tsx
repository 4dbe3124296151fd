import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { Notice } from '../../components/notice.js'
import { Select } from '../../components/select.js'

const ASSETS = [
  { value: 'bitcoin', label: 'Bitcoin (BTC)' },
  { value: 'ethereum', label: 'Ethereum (ETH)' },
  { value: 'usdc', label: 'USD Coin (USDC)' },
  { value: 'usdt', label: 'Tether (USDT)' },
] as const

/** What paying from a wallet will ask for, and that it is not open yet. */
export function CryptoPayment({ onUseCard }: { onUseCard: () => void }) {
  const [asset, setAsset] = useState<string>(ASSETS[0].value)
  const [address, setAddress] = useState('')
  return (
    <div className="grid gap-5">
      <Field label="Cryptocurrency">
        <Select name="cryptoType" value={asset} onChange={event => setAsset(event.target.value)}>
          {ASSETS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Wallet Address" hint="The wallet you would pay from.">
        <Input
          name="cryptoAddress"
          required
          value={address}
          onChange={event => setAddress(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Notice
        title="Not open yet"
        action={
          <Button kind="quiet" size="sm" onClick={onUseCard}>
            Pay by Card
          </Button>
        }
      >
        Payments in cryptocurrency are not offered at present. Nothing is charged here, and nothing should be sent.
      </Notice>
    </div>
  )
}
