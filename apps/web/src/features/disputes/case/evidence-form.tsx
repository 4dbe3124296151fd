import { routes } from 'virtual:routes'
import { MAX_EVIDENCE_IMAGES, MAX_EVIDENCE_NOTE_LENGTH } from '@holdfast/kernel/disputes'
import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../components/button.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { ImagePicker } from '../../../components/image-picker.js'
import { Textarea } from '../../../components/input.js'
import { UPLOAD_TIMEOUT_MS } from '../../../lib/api.js'
import { refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useUnsavedChanges } from '../../../lib/unsaved-changes.js'
import { useDraft } from '../../../lib/use-draft.js'
import { type CaseProps, isToAnswer, paramsOf, useCaseCommand } from './case.js'

interface Draft {
  readonly note: string
  /** Data URLs. */
  readonly images: readonly string[]
}
const EMPTY: Draft = { note: '', images: [] }

/** A note with pictures. What is typed here is kept while the case changes, and when the page is left. */
export default function EvidenceForm({ dispute }: CaseProps) {
  const draft = useDraft<Draft>(`evidence:${dispute.id}`, EMPTY)
  const { images } = draft.value
  // Pictures go past the form: they are scaled in the background.
  const form = useForm<Pick<Draft, 'note'>>({
    initial: { note: draft.value.note },
    validate: ({ note }) => ({ note: note.trim() === '' ? 'Say what this shows.' : undefined }),
    onChange: ({ note }) => draft.set(before => ({ ...before, note })),
    asksToLeave: true,
  })
  const add = useCaseCommand(routes.addEvidence, dispute, {
    whether: 'the evidence was added',
    done: ['Evidence added', 'Both sides and the mediator can read it.'],
    refused: 'The evidence was not added',
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  const [sent, setSent] = useState(0)
  async function submit({ note }: Pick<Draft, 'note'>) {
    const outcome = await add.give({ params: paramsOf(dispute), body: { note: note.trim(), images: [...images] } })
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    draft.set(EMPTY)
    draft.forget()
    setSent(sent + 1)
  }
  // It was sent: by this form, or by the one before it, whose answer came only now.
  const isEmptied = draft.value === EMPTY
  const clear = useEffectEvent(() => form.reset({ note: '' }))
  useEffect(() => {
    if (isEmptied) clear()
  }, [isEmptied])
  const [opened] = useState(images)
  useUnsavedChanges(!add.busy && images.length > 0 && images !== opened)
  const isAnswer = isToAnswer(dispute)
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      <Field
        label={isAnswer ? 'Your answer' : 'Add evidence'}
        hint="What happened, and what the pictures show. Facts and dates help most."
        {...form.field('note')}
      >
        <Textarea rows={5} required maxLength={MAX_EVIDENCE_NOTE_LENGTH} />
      </Field>
      {/* Another one after each sending: what the last one says about its files is over. */}
      <ImagePicker
        key={sent}
        images={images}
        max={MAX_EVIDENCE_IMAGES}
        onChange={change => draft.set(before => ({ ...before, images: change(before.images) }))}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" busy={add.busy}>
          {add.busy ? 'Adding...' : isAnswer ? 'Send Answer' : 'Add Evidence'}
        </Button>
        <p className="text-sm text-ink-soft">It cannot be changed or removed afterwards.</p>
      </div>
    </Form>
  )
}
