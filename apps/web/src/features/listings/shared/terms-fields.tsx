import { INSPECTION_DAYS, INSPECTION_LABELS, RETURN_POLICIES, RETURN_POLICY_LABELS } from '@holdfast/kernel/listings'
import { Field } from '../../../components/field.js'
import { Select } from '../../../components/select.js'
import type { FieldProps } from '../../../lib/form/use-form.js'
import type { ItemDetails } from './item-details.js'

interface TermsFieldsProps {
  /** The `field` of the form that holds the item. */
  field: (name: keyof ItemDetails, options?: { readonly asNumber?: boolean }) => FieldProps
  inspectionPeriod: ItemDetails['inspectionPeriod']
}

/** How long the buyer may inspect the item, and whether they may return it. */
export function TermsFields({ field, inspectionPeriod }: TermsFieldsProps) {
  return (
    <div className="grid items-end gap-5 sm:grid-cols-2">
      <Field
        label="Inspection Period"
        hint={
          inspectionPeriod === 0
            ? 'As-is: the money is released as soon as the buyer confirms delivery.'
            : 'The money stays held for these days after delivery.'
        }
        {...field('inspectionPeriod', { asNumber: true })}
      >
        <Select>
          {INSPECTION_DAYS.map(days => (
            <option key={days} value={days}>
              {INSPECTION_LABELS[days]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Return Policy" hint="What you grant beyond the inspection period." {...field('returnPolicy')}>
        <Select>
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
