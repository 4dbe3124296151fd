import { type DisputeReason, MAX_DISPUTE_DESCRIPTION_LENGTH } from '@holdfast/kernel/disputes'
import { Field } from '../../components/field.js'
import { Textarea } from '../../components/input.js'
import { Select } from '../../components/select.js'
import type { DisputeDraft } from './dispute-draft.js'
import type { ReasonOption } from './dispute-labels.js'

interface DisputeFieldsProps {
  reasons: readonly ReasonOption[]
  draft: DisputeDraft
  onChange: (draft: DisputeDraft) => void
  rows: number
}

/** Why, and what happened: the same two questions in the dialog and in the wizard. */
export function DisputeFields({ reasons, draft, onChange, rows }: DisputeFieldsProps) {
  return (
    <>
      <Field label="Reason">
        <Select
          value={draft.reason}
          onChange={event => onChange({ ...draft, reason: event.target.value as DisputeReason })}
          required
        >
          <option value="" disabled>
            Select a reason
          </option>
          {reasons.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Description" hint="What happened, and what you want. Facts and dates help most.">
        <Textarea
          rows={rows}
          value={draft.description}
          onChange={event => onChange({ ...draft, description: event.target.value })}
          required
          maxLength={MAX_DISPUTE_DESCRIPTION_LENGTH}
        />
      </Field>
    </>
  )
}
