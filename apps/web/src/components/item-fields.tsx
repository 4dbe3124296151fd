import {
  CATEGORIES,
  type Category,
  CONDITIONS,
  type Condition,
  MAX_DESCRIPTION_LENGTH,
  MAX_LOCATION_LENGTH,
  MAX_TITLE_LENGTH,
} from '@holdfast/kernel/listings'
import type { ItemDetails, ItemErrors } from '../lib/item-details.js'
import { Field } from './field.js'
import { AmountInput, Input, Textarea } from './input.js'
import { Select } from './select.js'

interface ItemFieldsProps {
  details: ItemDetails
  errors: ItemErrors
  set: (change: Partial<ItemDetails>) => void
}

/** What is sold, and for how much. */
export function ItemFields({ details, errors, set }: ItemFieldsProps) {
  return (
    <div className="grid gap-5">
      <Field label="Title" error={errors.title}>
        <Input
          name="title"
          value={details.title}
          onChange={event => set({ title: event.target.value })}
          required
          maxLength={MAX_TITLE_LENGTH}
        />
      </Field>
      <Field
        label="Description"
        hint="What is included, and every fault you know of: a dispute is decided by what stands here."
        error={errors.description}
      >
        <Textarea
          name="description"
          rows={6}
          value={details.description}
          onChange={event => set({ description: event.target.value })}
          required
          maxLength={MAX_DESCRIPTION_LENGTH}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Price (USD)" error={errors.price}>
          <AmountInput
            symbol="$"
            name="price"
            value={details.price}
            onChange={event => set({ price: event.target.value })}
            required
            step="0.01"
            min={0}
          />
        </Field>
        <Field label="Location" optional>
          <Input
            name="location"
            value={details.location}
            onChange={event => set({ location: event.target.value })}
            maxLength={MAX_LOCATION_LENGTH}
          />
        </Field>
        <Field label="Category" error={errors.category}>
          <Select
            name="category"
            value={details.category}
            onChange={event => set({ category: event.target.value as Category })}
            required
          >
            <option value="" disabled>
              Select category
            </option>
            {CATEGORIES.map(category => (
              <option key={category}>{category}</option>
            ))}
          </Select>
        </Field>
        <Field label="Condition" error={errors.condition}>
          <Select
            name="condition"
            value={details.condition}
            onChange={event => set({ condition: event.target.value as Condition })}
            required
          >
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
