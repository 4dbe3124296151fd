import { MAX_DISPUTE_REASONS_LENGTH } from '@holdfast/kernel/disputes'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Textarea } from '../../../components/input.js'
import { type Outcome, refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useDraft } from '../../../lib/use-draft.js'

interface ReasonDialogProps {
  open: boolean
  onClose: () => void
  /** The name of the draft. */
  draft: string
  title: string
  description: string
  label: string
  /** What is said when nothing was written. */
  missing: string
  send: string
  sending: string
  busy: boolean
  onSend: (reason: string) => Promise<Outcome<unknown> | null>
}

/** A step that needs a reason. Closed by mistake, it keeps what was typed. */
export function ReasonDialog({ open, onClose, title, description, ...form }: ReasonDialogProps) {
  return (
    <Dialog open={open} onOpenChange={next => !next && !form.busy && onClose()} title={title} description={description}>
      <ReasonForm {...form} onClose={onClose} />
    </Dialog>
  )
}

type ReasonFormProps = Omit<ReasonDialogProps, 'open' | 'title' | 'description'>

const EMPTY = { reason: '' }

function ReasonForm({ onClose, draft: name, label, missing, send, sending, busy, onSend }: ReasonFormProps) {
  const draft = useDraft(name, EMPTY)
  const form = useForm({
    initial: draft.value,
    validate: ({ reason }) => ({ reason: reason.trim() === '' ? missing : undefined }),
    onChange: draft.set,
    asksToLeave: true,
  })
  const submit = async ({ reason }: typeof EMPTY) => {
    const outcome = await onSend(reason.trim())
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    draft.forget()
    onClose()
  }
  return (
    <Form form={form} onSubmit={submit} className="grid gap-5">
      <Field label={label} {...form.field('reason')}>
        <Textarea rows={5} required maxLength={MAX_DISPUTE_REASONS_LENGTH} />
      </Field>
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button kind="quiet" disabled={busy} onClick={onClose}>
          Go Back
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? sending : send}
        </Button>
      </div>
    </Form>
  )
}
