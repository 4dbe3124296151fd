import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import { ApiError } from '@holdfast/http-client/api-error'
import type { Tagged } from '@holdfast/http-client/call'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { ItemFields } from '../../components/item-fields.js'
import { Notice } from '../../components/notice.js'
import { TermsFields } from '../../components/terms-fields.js'
import { fieldErrors, isStatus, loadFailure, request, requestTagged, serverWords } from '../../lib/api.js'
import {
  type ItemDetails,
  type ItemErrors,
  itemDetailsOf,
  itemPayloadOf,
  validateItem,
} from '../../lib/item-details.js'
import { toast, toastError } from '../../lib/toast.js'
import { refresh } from '../../lib/use-call.js'
import { useDraft } from '../../lib/use-draft.js'
import { useFieldErrors } from '../../lib/use-field-errors.js'

const NOT_SAVED = 'The listing could not be saved. Please try again.'

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
      description="Whoever buys it from now on buys it as you save it here. Its images stay as they are."
      wide
    >
      {opened && <EditForm opened={opened} onClose={onClose} />}
    </Dialog>
  )
}

function EditForm({ opened, onClose }: { opened: Tagged<Listing>; onClose: () => void }) {
  const { edits, isRestored, change, startFrom, forget } = useEdits(opened)
  const { form, errors, tell, forgive } = useFieldErrors<ItemErrors>()
  const { busy, refusal, save, readAgain } = useSaving(opened.answer)
  const set = (part: Partial<ItemDetails>) => {
    change(part)
    forgive(Object.keys(part))
  }

  /** Saves over the state of the listing that `etag` names; over any state when it is null. */
  async function submit(etag: string | null) {
    if (tell(validateItem(edits.item))) return
    const refused = await save(edits.item, etag)
    if (refused) {
      tell(refused)
      return
    }
    forget()
    onClose()
  }

  async function startOver() {
    const current = await readAgain()
    if (!current) return
    startFrom(current)
    tell({})
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void submit(edits.etag)
      }}
      className="grid gap-8"
    >
      {isRestored && !refusal && (
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
      <ItemFields details={edits.item} errors={errors} set={set} />
      <TermsFields details={edits.item} set={set} />
      {refusal && (
        <Notice
          tone="trouble"
          alert
          title={refusal.words}
          action={
            refusal.isConflict && (
              <>
                <Button kind="quiet" size="sm" disabled={busy} onClick={() => void startOver()}>
                  Start from What It Says Now
                </Button>
                <Button kind="trouble" size="sm" disabled={busy} onClick={() => void submit(null)}>
                  Save Mine over It
                </Button>
              </>
            )
          }
        >
          {refusal.isConflict
            ? 'It was saved in another tab or on another device since you opened this form. Nothing of yours was saved, and all of it is still here.'
            : 'What you typed is still here.'}
        </Notice>
      )}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button
          kind="quiet"
          disabled={busy}
          onClick={() => {
            forget()
            onClose()
          }}
        >
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? 'Saving...' : 'Save Changes'}
        </Button>
      </div>
    </form>
  )
}

/** What is typed, with the tag of the listing it was typed over: however late it is saved, it overwrites nothing newer. */
function useEdits(opened: Tagged<Listing>) {
  const [first] = useState(() => editsOf(opened))
  const { value: edits, set, isRestored, forget } = useDraft(`edit-listing:${opened.answer.id}`, first)
  const [isAfresh, setIsAfresh] = useState(false)
  return {
    edits,
    isRestored: isRestored && !isAfresh,
    change: (part: Partial<ItemDetails>) => set(before => ({ ...before, item: { ...before.item, ...part } })),
    startFrom: (current: Tagged<Listing>) => {
      set(editsOf(current))
      setIsAfresh(true)
      // Nothing of it was typed yet, so there is nothing to keep.
      forget()
    },
    forget,
  }
}

const editsOf = ({ answer, etag }: Tagged<Listing>) => ({ item: itemDetailsOf(answer), etag })

interface Refusal {
  readonly words: string
  /** The listing is not the one any more that the form was opened on. */
  readonly isConflict: boolean
}

function useSaving({ id }: Listing) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const params = { id: String(id) }

  /** Null when it is saved; otherwise the fields that were refused, if it was for those. */
  async function save(item: ItemDetails, etag: string | null): Promise<ItemErrors | null> {
    setBusy(true)
    setRefusal(undefined)
    try {
      const headers = etag === null ? {} : { 'if-match': etag }
      await request(routes.updateListing, { params, headers, body: itemPayloadOf(item) })
      toast('Listing saved')
      await refresh(routes.getListing, routes.listListings)
      return null
    } catch (error) {
      console.error('saving the listing failed', error)
      setRefusal(refusalOf(error))
      // A transaction may hold it now: then the page beneath says so.
      if (isStatus(error, 409)) void refresh(routes.getListing)
      return fieldErrors(error)
    } finally {
      setBusy(false)
    }
  }

  /** The listing as it is now; null, with the reason told, when it could not be loaded. */
  async function readAgain(): Promise<Tagged<Listing> | null> {
    setBusy(true)
    try {
      const current = await requestTagged(routes.getListing, { params })
      setRefusal(undefined)
      return current
    } catch (error) {
      toastError('The listing could not be loaded', loadFailure(error))
      return null
    } finally {
      setBusy(false)
    }
  }

  return { busy, refusal, save, readAgain }
}

function refusalOf(error: unknown): Refusal {
  return error instanceof ApiError && error.code === 'CONFLICT'
    ? { words: 'The listing was changed meanwhile', isConflict: true }
    : { words: serverWords(error, NOT_SAVED), isConflict: false }
}
