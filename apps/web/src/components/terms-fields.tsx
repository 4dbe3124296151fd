import {
  INSPECTION_DAYS,
  INSPECTION_LABELS,
  type InspectionDays,
  RETURN_POLICIES,
  RETURN_POLICY_LABELS,
  type ReturnPolicy,
} from '@holdfast/kernel/listings'
import type { ItemDetails } from '../lib/item-details.js'
import { Field } from './field.js'
import { Select } from './select.js'

interface TermsFieldsProps {
  details: ItemDetails
  set: (change: Partial<ItemDetails>) => void
}

/** How long the buyer may look at it, and whether it may come back. */
export function TermsFields({ details, set }: TermsFieldsProps) {
  return (
    <div className="grid items-end gap-5 sm:grid-cols-2">
      <Field
        label="Inspection Period"
        hint={
          details.inspectionPeriod === 0
            ? 'As-is: the money is released as soon as the buyer confirms delivery.'
            : 'The money stays held for these days after delivery.'
        }
      >
        <Select
          name="inspectionPeriod"
          value={details.inspectionPeriod}
          onChange={event => set({ inspectionPeriod: Number(event.target.value) as InspectionDays })}
        >
          {INSPECTION_DAYS.map(days => (
            <option key={days} value={days}>
              {INSPECTION_LABELS[days]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Return Policy" hint="What you grant beyond the inspection period.">
        <Select
          name="returnPolicy"
          value={details.returnPolicy}
          onChange={event => set({ returnPolicy: event.target.value as ReturnPolicy })}
        >
          {RETURN_POLICIES.map(policy => (
            <option key={policy} value={policy}>
              {RETURN_POLICY_LABELS[policy]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}
