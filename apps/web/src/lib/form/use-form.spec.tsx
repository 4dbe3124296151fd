import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { Segmented } from '../../components/segmented.js'
import { type Send, useForm } from './use-form.js'

interface Sale {
  readonly role: 'buyer' | 'seller'
  readonly title: string
  readonly price: string
  readonly days: number
}

const EMPTY: Sale = { role: 'seller', title: '', price: '', days: 3 }

const faultsOf = ({ role, title, price }: Sale) => ({
  role: role === 'buyer' ? 'Choose the seller first' : undefined,
  title: title === '' ? 'Enter a title' : undefined,
  price: price === '' ? 'Enter a price' : undefined,
})

interface SaleFormProps {
  send: Send<Sale>
  onChange?: (sale: Sale) => void
  initial?: Sale
}

function SaleForm({ send, onChange, initial = EMPTY }: SaleFormProps) {
  const form = useForm<Sale>({ initial, validate: faultsOf, ...(onChange ? { onChange } : {}) })
  return (
    <Form form={form} onSubmit={send}>
      <Segmented
        legend="Role"
        options={[
          { value: 'seller', label: 'Seller' },
          { value: 'buyer', label: 'Buyer' },
        ]}
        value={form.values.role}
        onChange={role => form.set('role', role)}
        error={form.error('role')}
      />
      <Field label="Title" {...form.field('title')}>
        <Input />
      </Field>
      <Field label="Price" {...form.field('price')}>
        <Input />
      </Field>
      <Field label="Days" {...form.field('days', { asNumber: true })}>
        <Input />
      </Field>
      <button type="submit">Send</button>
      <button type="button" onClick={() => form.reset(EMPTY)}>
        Start Over
      </button>
    </Form>
  )
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text)
const sent = () => jest.fn<Send<Sale>>(async () => undefined)

test('the first wrong field of the page has the focus, its words belong to it, and the count is announced', async () => {
  const send = sent()
  render(<SaleForm send={send} />)
  await submit()
  const title = screen.getByLabelText('Title')
  await waitFor(() => expect(document.activeElement).toBe(title))
  expect(title.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(title.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Enter a title')
  expect(screen.getByRole('alert').textContent).toBe('Not sent: 2 fields need your attention.')
  expect(send).not.toHaveBeenCalled()
})

test('a field that is put right is not called wrong any longer, and the others still are', async () => {
  render(<SaleForm send={sent()} />)
  await submit()
  await screen.findByText('Enter a title')
  await type('Title', 'Chair')
  expect(screen.queryByText('Enter a title')).toBeNull()
  expect(screen.getByText('Enter a price')).toBeTruthy()
})

test('the count goes away once every field is right, and when the form begins anew', async () => {
  render(<SaleForm send={sent()} />)
  const count = () => screen.getByRole('alert').textContent
  await submit()
  await type('Title', 'Chair')
  expect(count()).not.toBe('')
  await type('Price', '5')
  expect(count()).toBe('')
  await userEvent.clear(screen.getByLabelText('Price'))
  await submit()
  await waitFor(() => expect(count()).toBe('Not sent: one field needs your attention.'))
  await userEvent.click(screen.getByRole('button', { name: 'Start Over' }))
  expect(count()).toBe('')
})

test('the count of what the server refused goes away when a later try is saved', async () => {
  const answers = [{ price: 'Too low' }, {}]
  render(<SaleForm send={async () => answers.shift()} />)
  await type('Title', 'Chair')
  await type('Price', '1')
  const count = () => screen.getByRole('alert').textContent
  await submit()
  await waitFor(() => expect(count()).toBe('Not sent: one field needs your attention.'))
  await submit()
  await waitFor(() => expect(count()).toBe(''))
})

test('a wrong choice among radio buttons takes the focus to the button that is chosen', async () => {
  render(<SaleForm send={sent()} initial={{ ...EMPTY, role: 'buyer', title: 'Chair', price: '5' }} />)
  await submit()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Buyer')))
  expect(screen.getByText('Choose the seller first')).toBeTruthy()
})

test('what the server refuses lands on its field and takes the focus, again after each try', async () => {
  render(<SaleForm send={async () => ({ price: 'Must not be negative', unknown: 'x' })} />)
  await type('Title', 'Chair')
  await type('Price', '-1')
  for (const _ of ['first', 'second']) {
    await submit()
    expect(await screen.findByText('Must not be negative')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Price')))
    screen.getByLabelText('Title').focus()
  }
  await type('Price', '0')
  expect(screen.queryByText('Must not be negative')).toBeNull()
})

test('a form that is right is sent with its values, numbers as numbers', async () => {
  const send = sent()
  render(<SaleForm send={send} />)
  await type('Title', 'Chair')
  await type('Price', '5')
  await userEvent.clear(screen.getByLabelText('Days'))
  await type('Days', '7')
  await submit()
  await waitFor(() => expect(send).toHaveBeenCalled())
  expect(send).toHaveBeenCalledWith({ role: 'seller', title: 'Chair', price: '5', days: 7 })
})

test('onChange gets the values after every change, a reset included', async () => {
  const changes = new Set<string>()
  render(<SaleForm send={sent()} onChange={({ role, title }) => changes.add(`${role} ${title}`)} />)
  await type('Title', 'Ch')
  await userEvent.click(screen.getByLabelText('Buyer'))
  await userEvent.click(screen.getByRole('button', { name: 'Start Over' }))
  expect([...changes]).toEqual(['seller C', 'seller Ch', 'buyer Ch', 'seller '])
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('')
})
