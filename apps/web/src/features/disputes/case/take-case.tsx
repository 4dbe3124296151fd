import { adminRoutes } from 'virtual:admin-routes'
import { MAX_DISPUTE_REASONS_LENGTH } from '@holdfast/kernel/disputes'
import { Button } from '../../../components/button.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Textarea } from '../../../components/input.js'
import { refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useDraft } from '../../../lib/use-draft.js'
import { type CaseProps, paramsOf, useCaseCommand } from './case.js'

/** A mediator takes the case that nobody has taken, or changes the notes of their own one. Both parties read them. */
export default function TakeCase({ dispute }: CaseProps) {
  const isTaken = dispute.takenBy === 'reader'
  const draft = useDraft(`notes:${dispute.id}`, { adminNotes: dispute.adminNotes ?? '' })
  const form = useForm<{ readonly adminNotes: string }>({
    initial: draft.value,
    // Without notes the service keeps those that are there.
    validate: ({ adminNotes }) =>
      isTaken && adminNotes.trim() === '' ? { adminNotes: 'Please write what the parties should read' } : {},
    onChange: draft.set,
    asksToLeave: true,
  })
  const take = useCaseCommand(adminRoutes.investigateDispute, dispute, {
    whether: isTaken ? 'the notes were saved' : 'the case was taken',
    done: isTaken ? ['Notes saved'] : ['Case taken', 'Both parties know that a mediator looks at it.'],
    refused: isTaken ? 'The notes were not saved' : 'The case was not taken',
  })
  async function submit({ adminNotes }: { readonly adminNotes: string }) {
    const notes = adminNotes.trim()
    const body = { status: 'investigating' as const, ...(notes ? { adminNotes: notes } : {}) }
    const outcome = await take.give({ params: paramsOf(dispute), body })
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    draft.forget()
    form.reset({ adminNotes })
  }
  return (
    <section aria-labelledby="take-title">
      <h2 id="take-title" className="display text-xl">
        {isTaken ? 'Notes for the parties' : 'Take the case'}
      </h2>
      <Form form={form} onSubmit={submit} className="mt-3 grid gap-4">
        <Field
          label="Notes"
          optional={!isTaken}
          hint="Both parties read them: what you still need to know, for example."
          {...form.field('adminNotes')}
        >
          <Textarea rows={3} maxLength={MAX_DISPUTE_REASONS_LENGTH} />
        </Field>
        <Button type="submit" kind={isTaken ? 'quiet' : 'primary'} busy={take.busy} className="justify-self-start">
          {take.busy ? 'Saving...' : isTaken ? 'Save Notes' : 'Take the Case'}
        </Button>
      </Form>
    </section>
  )
}
