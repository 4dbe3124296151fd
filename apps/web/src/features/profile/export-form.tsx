import { routes } from 'virtual:routes'
import { urlOf } from '@holdfast/http-client/call'
import { Button } from '../../components/button.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { Form } from '../../components/form.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { startDownload } from '../../lib/download.js'
import { useForm } from '../../lib/form/use-form.js'
import { useCommand } from '../../lib/use-command.js'
import { refusalWords } from '../auth/shared/refusal-words.js'
import type { ConfirmDialogProps } from '../security/shared/confirm-dialog.js'
import { CONFIRMATION_REQUIRED, useConfirmed } from '../security/shared/use-confirmed.js'
import { PasswordProof, type Proof, proofOf } from './shared/password-proof.js'

const ConfirmDialog = dialogOnDemand<ConfirmDialogProps>(
  async () => (await import('../security/shared/confirm-dialog.js')).ConfirmDialog,
)

/** Downloads everything that Holdfast keeps about the user, as a file of JSON. */
export function ExportForm({ onDone }: { onDone: () => void }) {
  const form = useForm<Proof>({ initial: { currentPassword: '' }, validate: () => ({}) })
  const confirmed = useConfirmed()
  const { give, busy } = useCommand(routes.createExport, {
    whether: 'the export was made',
    done: () => ['Your download begins', 'The file has everything that we keep about you.'],
    refused: error =>
      error.status === 400 || error.code === CONFIRMATION_REQUIRED
        ? null
        : ['Your data were not exported', refusalWords(error)],
    refresh: async () => undefined,
    onDone: ({ token }) => {
      startDownload(urlOf(routes.downloadExport.path, { params: { token } }))
      onDone()
    },
  })
  return (
    <>
      <Form
        form={form}
        onSubmit={async proof => refusedFields(await confirmed.run(() => give({ body: proofOf(proof) })))}
        className="grid gap-4"
      >
        <p className="text-ink-soft">
          Download all that we keep about you: your account, listings, transactions, payments, messages and the rest. It
          is a file of JSON, which other programs can read.
        </p>
        <PasswordProof form={form} />
        <Button type="submit" busy={busy} className="justify-self-start">
          {busy ? 'Preparing...' : 'Export My Data'}
        </Button>
      </Form>
      <ConfirmDialog open={confirmed.waiting !== null} confirmed={confirmed} />
    </>
  )
}
