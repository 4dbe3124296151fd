import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm } from '../lib/form/use-form.js'
import { AmountField } from './amount-field.js'

function Offer({ validate = () => ({}) }: { validate?: () => { amount?: string } }) {
  const form = useForm({ initial: { amount: '' }, validate })
  return <AmountField label="Offer" {...form.field('amount')} typed={form.values.amount} />
}

const field = () => screen.getByLabelText<HTMLInputElement>('Offer')
const description = () => document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent

test('shows the amount that it reads, as money', async () => {
  render(<Offer />)
  expect(description()).toBeUndefined()
  await userEvent.type(field(), '3,000')
  expect(description()).toBe('= $3,000.00')
  await userEvent.type(field(), '.5')
  expect(description()).toBe('= $3,000.50')
})

test('says what a text can mean once the field is left, and takes that back when it is typed on', async () => {
  render(<Offer />)
  await userEvent.type(field(), '3.000')
  expect(field().getAttribute('aria-invalid')).toBeNull()
  expect(screen.queryByText('= $3.00')).toBeNull()
  await userEvent.tab()
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(description()).toBe('This can be read as $3.00 or as $3,000.00. Write 3.00 or 3,000.00.')
  await userEvent.clear(field())
  await userEvent.type(field(), '3,000.00')
  expect(description()).toBe('= $3,000.00')
  await userEvent.tab()
  expect(description()).toBe('= $3,000.00')
})

test('an empty field that was left is no error of its own', async () => {
  render(<Offer />)
  await userEvent.click(field())
  await userEvent.tab()
  expect(field().getAttribute('aria-invalid')).toBeNull()
})
