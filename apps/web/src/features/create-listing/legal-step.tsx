import { routes } from 'virtual:routes'
import type { PublicUser } from '@holdfast/contracts/users'
import { DEAL_CURRENCY } from '@holdfast/kernel/money'
import { asSentence } from '@holdfast/kernel/sentence'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Form } from '../../components/form.js'
import { Money } from '../../components/money.js'
import { Notice } from '../../components/notice.js'
import { StepActions } from '../../components/wizard.js'
import { serverWords, UPLOAD_TIMEOUT_MS } from '../../lib/api.js'
import { type Outcome, refusedFields, unknownWords } from '../../lib/command-outcome.js'
import { fullName, useSignedInUser } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { SendConfirmation } from '../auth/shared/send-confirmation.js'
import { AgreementFields } from '../listings/shared/agreement-fields.js'
import { isSigned, type Signature } from '../listings/shared/agreements.js'
import { priceOf } from '../listings/shared/item-details.js'
import { type ListingDetails, payloadOf, type SentDraft } from './listing-draft.js'

const FAILED = 'Failed to create transaction. Please try again.'
const WHETHER = 'the transaction was created'

interface LegalStepProps {
  details: ListingDetails
  counterparty: PublicUser | null
  signature: Signature
  /** How the draft as it is now was sent before; undefined when it was not. */
  sent: SentDraft | undefined
  onSend: (sent: SentDraft) => void
  onChange: (signature: Signature) => void
  onBack: () => void
  /** The server refused fields, by the names of the request's body. */
  onRefused: (fields: Readonly<Record<string, string>>) => void
  onCreated: () => void
}

/** Step 3: the three agreements, a signature, and the listing is made. */
export default function LegalStep(props: LegalStepProps) {
  const { details, counterparty, signature, sent, onSend, onChange, onBack, onRefused, onCreated } = props
  // The button says what is missing: it is enabled only when all is accepted and signed.
  const form = useForm<Signature>({ initial: signature, validate: () => ({}), onChange })
  const { create, busy, outcome } = useCreation(details, counterparty, onCreated)
  const signed = isSigned(form.values)

  async function submit(values: Signature) {
    const request = sent ?? { key: crypto.randomUUID(), signedAt: new Date().toISOString() }
    onSend(request)
    const fields = refusedFields(await create(values, request))
    if (Object.keys(fields).length > 0) onRefused(fields)
    const digitalSignature = fields['legalAcceptance.digitalSignature']
    return digitalSignature ? { digitalSignature } : {}
  }

  return (
    <Form form={form} onSubmit={submit} className="grid gap-8">
      <Facts
        facts={[
          { label: 'Item', value: details.title },
          { label: 'Price', value: <Money amount={priceOf(details) ?? ''} currency={DEAL_CURRENCY} /> },
          {
            label: details.userRole === 'seller' ? 'Buyer' : 'Seller',
            value: counterparty ? fullName(counterparty) : 'Open to everybody',
          },
        ]}
      />
      <AgreementFields form={form} signer={details.userRole} />
      <NotCreated outcome={outcome} />
      {!signed && <p className="text-sm text-ink-soft">Accept all three agreements and sign to go on.</p>}
      <StepActions
        back={
          <Button kind="quiet" onClick={onBack} disabled={busy}>
            Back to Details
          </Button>
        }
        next={
          <Button type="submit" busy={busy} disabled={!signed}>
            {busy ? 'Creating...' : 'Create Transaction'}
          </Button>
        }
      />
    </Form>
  )
}

/** Why nothing was created, or that this is not known. */
function NotCreated({ outcome }: { outcome: Outcome<unknown> | null }) {
  if (outcome === null || outcome.kind === 'done') return null
  if (outcome.kind === 'unknown') {
    const [title] = unknownWords(WHETHER)
    return (
      <Notice tone="trouble" alert title={title}>
        Look at your dashboard before you change anything here. Sent again as it is, this draft is created only once.
      </Notice>
    )
  }
  const reasons = [serverWords(outcome.error, FAILED), ...Object.values(outcome.error.fields)]
  const needsConfirmation = outcome.error.code === 'EMAIL_NOT_CONFIRMED'
  return (
    <Notice
      tone="trouble"
      alert
      title="The server did not accept it"
      action={needsConfirmation && <SendConfirmation />}
    >
      {reasons.map(asSentence).join(' ')}
    </Notice>
  )
}

const nextAfter = (role: ListingDetails['userRole']) =>
  role === 'seller'
    ? 'It is open, and the buyer is asked to pay.'
    : 'It is open. Send the funds, and the seller can ship.'

const OPENS_WHEN_BOUGHT = 'Your item is listed. Its transaction opens when a buyer buys it.'
/** The service of transactions did not answer. It opens the transaction when it does. */
const OPENS_LATER = 'The transaction is not open yet. It opens by itself, and your dashboard then shows it.'

/** Sends everything; on success the dashboard shows it. */
function useCreation(details: ListingDetails, counterparty: PublicUser | null, onCreated: () => void) {
  const user = useSignedInUser()
  const navigate = useNavigate()
  const { give, busy, outcome } = useCommand(routes.createListing, {
    whether: WHETHER,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    done: ({ transaction }) => {
      if (transaction) return ['Transaction created', nextAfter(details.userRole)]
      return ['Listing created', counterparty ? OPENS_LATER : OPENS_WHEN_BOUGHT]
    },
    refused: () => ['Error', FAILED],
    refresh: () => refreshAfter({ kind: 'transaction' }),
    onDone: () => {
      onCreated()
      // To the tab that lists it, and Back must not lead to a form that was sent.
      return navigate(details.userRole === 'seller' ? paths.selling : paths.buying, { replace: true })
    },
  })
  const create = (signature: Signature, { key, signedAt }: SentDraft) => {
    const people = { userId: user.id, counterparty }
    return give({ body: payloadOf(details, signature, people, new Date(signedAt)) }, key)
  }
  return { create, busy, outcome }
}
