import { routes } from 'virtual:routes'
import type { PublicUser } from '@holdfast/contracts/users'
import { MAX_SIGNATURE_LENGTH } from '@holdfast/kernel/agreements'
import { DEAL_CURRENCY } from '@holdfast/kernel/money'
import { type FormEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Checkbox } from '../../components/checkbox.js'
import { Facts } from '../../components/facts.js'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { Money } from '../../components/money.js'
import { Notice } from '../../components/notice.js'
import { fieldErrors, request, serverWords, UPLOAD_TIMEOUT_MS } from '../../lib/api.js'
import { fullName, useSignedInUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { toast, toastError } from '../../lib/toast.js'
import { refresh } from '../../lib/use-call.js'
import { agreementsFor } from './agreements.js'
import { isSigned, type ListingDetails, payloadOf, type Signature } from './listing-draft.js'

const FAILED = 'Failed to create transaction. Please try again.'

interface LegalStepProps {
  details: ListingDetails
  counterparty: PublicUser | null
  signature: Signature
  onChange: (signature: Signature) => void
  onBack: () => void
  onCreated: () => void
}

/** Step 3: the three agreements, a signature, and the listing is made. */
export function LegalStep({ details, counterparty, signature, onChange, onBack, onCreated }: LegalStepProps) {
  const { submit, busy, refusal } = useCreation(details, counterparty, signature, onCreated)
  return (
    <form onSubmit={submit} className="grid gap-8">
      <Facts
        facts={[
          { label: 'Item', value: details.title },
          { label: 'Price', value: <Money amount={details.price} currency={DEAL_CURRENCY} /> },
          {
            label: details.userRole === 'seller' ? 'Buyer' : 'Seller',
            value: counterparty ? fullName(counterparty) : 'Open to everybody',
          },
        ]}
      />
      {agreementsFor(details.userRole).map(agreement => (
        <section key={agreement.field} aria-labelledby={`agreement-${agreement.field}`}>
          <h3 id={`agreement-${agreement.field}`} className="font-semibold">
            {agreement.title}
          </h3>
          <ol className="mt-2 mb-4 grid list-decimal gap-1.5 border-l-2 border-rule pl-9 text-sm text-ink-soft">
            {agreement.clauses.map(clause => (
              <li key={clause}>{clause}</li>
            ))}
          </ol>
          <Checkbox
            label={agreement.consent}
            checked={signature[agreement.field]}
            onChange={event => onChange({ ...signature, [agreement.field]: event.target.checked })}
          />
        </section>
      ))}
      <Field label="Digital Signature" hint="Type your full legal name. It is kept with the time of signing.">
        <Input
          name="digitalSignature"
          autoComplete="name"
          value={signature.digitalSignature}
          onChange={event => onChange({ ...signature, digitalSignature: event.target.value })}
          maxLength={MAX_SIGNATURE_LENGTH}
          className="display text-lg"
        />
      </Field>
      {refusal && (
        <Notice tone="trouble" alert title="Nothing was created">
          {refusal} No money has moved.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3 border-t border-rule pt-6">
        <Button kind="quiet" onClick={onBack} disabled={busy}>
          Back to Details
        </Button>
        <Button type="submit" busy={busy} disabled={!isSigned(signature)}>
          {busy ? 'Creating...' : 'Create Transaction'}
        </Button>
        {!isSigned(signature) && (
          <p className="self-center text-sm text-ink-soft">Accept all three agreements and sign to go on.</p>
        )}
      </div>
    </form>
  )
}

const nextAfter = (role: ListingDetails['userRole']) =>
  role === 'seller'
    ? 'It is open, and the buyer is asked to pay.'
    : 'It is open. Send the funds, and the seller can ship.'

// What is wrong with a field is said without a full stop where it stands at the field.
const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Sends everything; on success the dashboard shows it. */
function useCreation(
  details: ListingDetails,
  counterparty: PublicUser | null,
  signature: Signature,
  onCreated: () => void,
) {
  const user = useSignedInUser()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const attempt = useAttempt(details, counterparty, signature)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setRefusal(undefined)
    try {
      const { idempotencyKey, at } = attempt()
      const body = payloadOf(details, signature, { userId: user.id, counterparty }, at)
      const options = { timeoutMs: UPLOAD_TIMEOUT_MS, idempotencyKey }
      const { transaction } = await request(routes.createListing, { body }, options)
      if (transaction) toast('Transaction created', nextAfter(details.userRole))
      else toast('Listing created', 'Your item is listed. Its transaction opens when somebody buys it.')
      void refresh(routes.listListings, routes.listTransactions, routes.getTransactionSummary)
      onCreated()
      // To the tab that lists it, and Back must not lead to a form that was sent.
      await navigate(details.userRole === 'seller' ? paths.selling : paths.buying, { replace: true })
    } catch (error) {
      console.error('creating the listing failed', error)
      toastError('Error', FAILED)
      setRefusal([serverWords(error, FAILED), ...Object.values(fieldErrors(error))].map(asSentence).join(' '))
      setBusy(false)
    }
  }

  return { submit, busy, refusal }
}

/** The same draft sent again is the same listing, signed at the same time; a changed one is another. */
function useAttempt(...draft: readonly unknown[]) {
  const last = useRef<{ draft: readonly unknown[]; idempotencyKey: string; at: Date }>(null)
  return () => {
    if (!last.current || last.current.draft.some((part, i) => part !== draft[i]))
      last.current = { draft, idempotencyKey: crypto.randomUUID(), at: new Date() }
    return last.current
  }
}
