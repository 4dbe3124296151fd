import { MAX_DISPUTE_DESCRIPTION_LENGTH } from '@holdfast/kernel/disputes'
import { Field } from '../../components/field.js'
import { Textarea } from '../../components/input.js'
import { Select } from '../../components/select.js'
import type { FieldProps } from '../../lib/form/use-form.js'
import type { ReasonOption } from './dispute-labels.js'

interface DisputeFieldsProps {
  reasons: readonly ReasonOption[]
  reason: FieldProps
  description: FieldProps
  rows: number
}

/** Why, and what happened: the same two questions in the dialog and in the wizard. */
export function DisputeFields({ reasons, reason, description, rows }: DisputeFieldsProps) {
  return (
    <>
      <Field label="Reason" {...reason}>
        <Select required>
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
      <Field label="Description" hint="What happened, and what you want. Facts and dates help most." {...description}>
        <Textarea rows={rows} required maxLength={MAX_DISPUTE_DESCRIPTION_LENGTH} />
      </Field>
    </>
  )
}
