import {
  CATEGORIES,
  CONDITIONS,
  MAX_DESCRIPTION_LENGTH,
  MAX_LOCATION_LENGTH,
  MAX_TITLE_LENGTH,
} from '@holdfast/kernel/listings'
import { AmountField } from '../../../components/amount-field.js'
import { Field } from '../../../components/field.js'
import { Input, Textarea } from '../../../components/input.js'
import { Select } from '../../../components/select.js'
import type { FieldProps } from '../../../lib/form/use-form.js'
import type { ItemDetails } from './item-details.js'

interface ItemFieldsProps {
  /** The `field` of the form that holds the item. */
  field: (name: keyof ItemDetails) => FieldProps
  /** What its price field holds now. */
  price: string
}

/** What is sold, and for how much. */
export function ItemFields({ field, price }: ItemFieldsProps) {
  return (
    <div className="grid gap-5">
      <Field label="Title" {...field('title')}>
        <Input required maxLength={MAX_TITLE_LENGTH} />
      </Field>
      <Field
        label="Description"
        hint="What is included, and every fault you know of: a dispute is decided by what stands here."
        {...field('description')}
      >
        <Textarea rows={6} required maxLength={MAX_DESCRIPTION_LENGTH} />
      </Field>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <AmountField label="Price (USD)" {...field('price')} typed={price} required />
        <Field label="Location" optional {...field('location')}>
          <Input maxLength={MAX_LOCATION_LENGTH} />
        </Field>
        <Field label="Category" {...field('category')}>
          <Select required>
            <option value="" disabled>
              Select category
            </option>
            {CATEGORIES.map(category => (
              <option key={category}>{category}</option>
            ))}
          </Select>
        </Field>
        <Field label="Condition" {...field('condition')}>
          <Select required>
            <option value="" disabled>
              Select condition
            </option>
            {CONDITIONS.map(condition => (
              <option key={condition}>{condition}</option>
            ))}
          </Select>
        </Field>
      </div>
    </div>
  )
}
