import { Button } from '../../../components/button.js'
import { CopyButton } from '../../../components/copy-button.js'
import { Dialog } from '../../../components/dialog.js'

export interface NewCodesDialogProps {
  open: boolean
  codes: readonly string[]
  onClose: () => void
}

/** Shows new recovery codes, this once. */
export default function NewCodesDialog({ open, codes, onClose }: NewCodesDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={isOpen => isOpen || onClose()}
      title="Keep your recovery codes"
      description="They are shown this once. Print them, or keep them where you keep passwords, and not on the phone that you may lose."
      actions={<Button onClick={onClose}>I Have Kept Them</Button>}
    >
      <div data-prints-alone>
        <p className="mb-3 hidden font-semibold print:block">Holdfast recovery codes. Each works once.</p>
        <ul aria-label="Recovery codes" className="figures grid gap-x-8 gap-y-1.5 sm:grid-cols-2">
          {codes.map(code => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton label="recovery codes" text={codes.join('\n')} />
        <Button kind="quiet" size="sm" onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </Dialog>
  )
}
