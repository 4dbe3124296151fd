import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Form } from '../../components/form.js'
import { serverWords } from '../../lib/api.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { AgreementFields } from './shared/agreement-fields.js'
import { acceptanceOf, isSigned, type Signature, UNSIGNED } from './shared/agreements.js'

interface RelistDialogProps {
  listing: Listing
  open: boolean
  onClose: () => void
}

/** Makes a new listing of an item that was not sold or came back. The seller signs the agreements anew. */
export function RelistDialog({ listing, open, onClose }: RelistDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={isOpen => !isOpen && onClose()}
      title="List this item as new?"
      description={`It gets a new listing as it is described here, ${listing.isPrivate ? 'private to whom you invite' : 'which everybody can find'}. The old one stays off sale.`}
      wide
    >
      {open && <RelistForm listing={listing} />}
    </Dialog>
  )
}

function RelistForm({ listing: { id } }: { listing: Listing }) {
  const navigate = useNavigate()
  const form = useForm<Signature>({ initial: UNSIGNED, validate: () => ({}) })
  const { give, busy } = useCommand(routes.relistListing, {
    whether: 'the item was listed',
    done: () => ['Listing created', 'Your item is listed again.'],
    refused: error => ['Error', serverWords(error, 'The item could not be listed. Please try again.')],
    refresh: () => refreshAfter({ kind: 'listing' }),
    onDone: listing => navigate(paths.listing(listing.id)),
  })
  const signed = isSigned(form.values)
  async function submit(values: Signature) {
    const legalAcceptance = acceptanceOf(values, new Date())
    return refusedFields(await give({ params: { id: String(id) }, body: { legalAcceptance } }))
  }
  return (
    <Form form={form} onSubmit={submit} className="grid gap-8">
      <AgreementFields form={form} signer="seller" />
      <Button type="submit" busy={busy} disabled={!signed} className="justify-self-start">
        {busy ? 'Listing...' : 'List as New'}
      </Button>
    </Form>
  )
}
