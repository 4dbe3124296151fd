import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import type { Tagged } from '@holdfast/http-client/call'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Form } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { loadFailure, requestTagged, serverWords } from '../../lib/api.js'
import { type Outcome, refusedFields, unknownWords } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { toastError } from '../../lib/toast.js'
import { useCommand } from '../../lib/use-command.js'
import { useDraft } from '../../lib/use-draft.js'
import { AgreementFields } from './shared/agreement-fields.js'
import { isSigned, NOT_SIGNED, type Signature, UNSIGNED } from './shared/agreements.js'
import { type ItemDetails, isSameItem, itemDetailsOf, itemPayloadOf, validateItem } from './shared/item-details.js'
import { ItemFields } from './shared/item-fields.js'
import { TermsFields } from './shared/terms-fields.js'

const NOT_SAVED = 'The listing could not be saved. Please try again.'
const WHETHER = 'the listing was saved'

interface EditListingDialogProps {
  /** The listing as it was read for this; null shows nothing. */
  opened: Tagged<Listing> | null
  onClose: () => void
}

/** The owner's form for what the wizard asked for. Closed by mistake, it keeps what was typed. */
export function EditListingDialog({ opened, onClose }: EditListingDialogProps) {
  return (
    <Dialog
      open={opened !== null}
      onOpenChange={open => !open && onClose()}
      title="Edit Listing"
      description="From now on buyers buy it as you save it here. Its images stay as they are."
      wide
    >
      {opened && <EditForm opened={opened} onClose={onClose} />}
    </Dialog>
  )
}

type SignedItem = ItemDetails & Signature

function EditForm({ opened, onClose }: { opened: Tagged<Listing>; onClose: () => void }) {
  const edits = useEdits(opened)
  const form = useForm<SignedItem>({
    initial: { ...edits.item, ...UNSIGNED },
    validate: values => ({
      ...validateItem(values),
      ...(!isSameItem(values, edits.saved) && !isSigned(values) && { digitalSignature: NOT_SIGNED }),
    }),
    onChange: edits.change,
    asksToLeave: true,
  })
  const save = useSave()
  const latest = useLatest(opened.answer)
  const busy = save.busy || latest.busy

  /** Saves over the state of the listing that `etag` names; over any state when it is null. */
  async function submit(item: SignedItem, etag: string | null) {
    const headers = etag === null ? {} : { 'if-match': etag }
    const params = { id: String(opened.answer.id) }
    const signature = isSigned(item) ? { digitalSignature: item.digitalSignature.trim() } : {}
    const outcome = await save.give({ params, headers, body: { ...itemPayloadOf(item), ...signature } })
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    edits.forget()
    onClose()
  }

  async function startOver() {
    const current = await latest.read()
    if (!current) return
    save.forget()
    form.reset({ ...itemDetailsOf(current.answer), ...UNSIGNED })
    edits.startFrom(current)
  }

  return (
    <Form form={form} onSubmit={item => submit(item, edits.etag)} className="grid gap-8">
      {edits.isRestored && !save.outcome && (
        <Notice
          title="Your changes are still here"
          action={
            <Button kind="quiet" size="sm" disabled={busy} onClick={() => void startOver()}>
              Start Over
            </Button>
          }
        >
          What you entered in this tab was kept, and nothing has been saved.
        </Notice>
      )}
      <ItemFields field={form.field} price={form.values.price} />
      <TermsFields field={form.field} inspectionPeriod={form.values.inspectionPeriod} />
      {(!isSameItem(form.values, edits.saved) || form.error('digitalSignature') !== undefined) && (
        <section aria-labelledby="sign-changes" className="grid gap-6 border-t border-rule pt-6">
          <div>
            <h3 id="sign-changes" className="display text-xl">
              Sign what you have changed
            </h3>
            <p className="mt-1 max-w-text text-ink-soft">
              Whoever buys from now on agrees to the item as it is described above. So you sign these agreements anew.
            </p>
          </div>
          <AgreementFields form={form} signer="seller" />
        </section>
      )}
      <NotSaved
        outcome={save.outcome}
        busy={busy}
        onStartOver={() => void startOver()}
        onOverwrite={() => void form.submit(item => submit(item, null))}
      />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button
          kind="quiet"
          disabled={busy}
          onClick={() => {
            edits.forget()
            onClose()
          }}
        >
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Saving...' : 'Save Changes'}
        </Button>
      </div>
    </Form>
  )
}

interface NotSavedProps {
  outcome: Outcome<unknown> | null
  busy: boolean
  onStartOver: () => void
  onOverwrite: () => void
}

/** Why the listing was not saved, or that this is not known; and what can be done now. */
function NotSaved({ outcome, busy, onStartOver, onOverwrite }: NotSavedProps) {
  if (outcome === null || outcome.kind === 'done') return null
  if (outcome.kind === 'unknown') {
    const [title, text] = unknownWords(WHETHER)
    return (
      <Notice tone="trouble" alert title={title}>
        {text} What you typed is still here.
      </Notice>
    )
  }
  if (outcome.error.code !== 'CONFLICT') {
    return (
      <Notice tone="trouble" alert title={serverWords(outcome.error, NOT_SAVED)}>
        What you typed is still here.
      </Notice>
    )
  }
  return (
    <Notice
      tone="trouble"
      alert
      title="The listing was changed meanwhile"
      action={
        <>
          <Button kind="quiet" size="sm" disabled={busy} onClick={onStartOver}>
            Start from What It Says Now
          </Button>
          <Button kind="trouble" size="sm" disabled={busy} onClick={onOverwrite}>
            Save Mine over It
          </Button>
        </>
      }
    >
      It was saved since you opened this form: in another tab, on another device, or by a save of yours whose answer did
      not arrive. What the form says now was not saved, and all of it is still here.
    </Notice>
  )
}

/** What is typed, with the tag of the listing as it was read. The server refuses to overwrite a newer one. */
function useEdits(opened: Tagged<Listing>) {
  const [first] = useState(() => editsOf(opened))
  const { value, set, isRestored, forget } = useDraft(`edit-listing:${opened.answer.id}`, first)
  const [isAfresh, setIsAfresh] = useState(false)
  const [saved, setSaved] = useState(() => itemDetailsOf(opened.answer))
  return {
    ...value,
    /** The listing as it was read last. */
    saved,
    isRestored: isRestored && !isAfresh,
    // A signature is given for what is read at that moment, so no draft keeps it.
    change: (values: SignedItem) => set(before => ({ ...before, item: onlyItem(values) })),
    startFrom: (current: Tagged<Listing>) => {
      set(editsOf(current))
      setSaved(itemDetailsOf(current.answer))
      setIsAfresh(true)
      // Nothing of it was typed yet, so there is nothing to keep.
      forget()
    },
    forget,
  }
}

const onlyItem = ({
  termsAccepted: _,
  escrowAgreement: __,
  harmlessClause: ___,
  digitalSignature: ____,
  ...item
}: SignedItem) => item satisfies ItemDetails

const editsOf = ({ answer, etag }: Tagged<Listing>) => ({ item: itemDetailsOf(answer), etag })

const useSave = () =>
  useCommand(routes.updateListing, {
    whether: WHETHER,
    done: () => ['Listing saved'],
    // The form shows it.
    refused: () => null,
    // A deal may hold the listing now: then the page beneath says so.
    refresh: () => refreshAfter({ kind: 'listing' }),
  })

/** Reads the listing as it is now. */
function useLatest({ id }: Listing) {
  const [busy, setBusy] = useState(false)

  /** Answers null, with the reason in a toast, when the listing could not be loaded. */
  async function read(): Promise<Tagged<Listing> | null> {
    setBusy(true)
    try {
      return await requestTagged(routes.getListing, { params: { id: String(id) } })
    } catch (error) {
      toastError('The listing could not be loaded', loadFailure(error))
      return null
    } finally {
      setBusy(false)
    }
  }

  return { busy, read }
}
