import { routes } from 'virtual:routes'
import { urlOf } from '@holdfast/http-client/call'
import { Button } from '../../components/button.js'
import { startDownload } from '../../lib/download.js'
import { useCommand } from '../../lib/use-command.js'
import { ProofForm, refusedProof } from './shared/proof-form.js'

/** Downloads everything that Holdfast keeps about the user, as a file of JSON. */
export function ExportForm({ onDone }: { onDone: () => void }) {
  const { give, busy } = useCommand(routes.createExport, {
    whether: 'the export was made',
    done: () => ['Your download begins', 'The file has everything that we keep about you.'],
    refused: refusedProof('Your data were not exported'),
    refresh: async () => undefined,
    onDone: ({ token }) => {
      startDownload(urlOf(routes.downloadExport.path, { params: { token } }))
      onDone()
    },
  })
  return (
    <ProofForm
      give={body => give({ body })}
      lead={
        <p className="text-ink-soft">
          Download all that we keep about you: your account, listings, transactions, payments, messages and the rest. It
          is a file of JSON, which other programs can read. The file does not contain pictures. It lists the address of
          each one: put {window.location.origin} before it, and open it while you are signed in. Pictures of your
          identity documents are not listed.
        </p>
      }
    >
      <Button type="submit" busy={busy} className="justify-self-start">
        {busy ? 'Preparing...' : 'Export My Data'}
      </Button>
    </ProofForm>
  )
}
