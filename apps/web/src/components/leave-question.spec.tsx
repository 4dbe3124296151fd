import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link, Outlet, useNavigate } from 'react-router-dom'
import { showRoutes } from '../../test/show.js'
import { stubGlobals } from '../../test/stub-globals.js'
import { useForm } from '../lib/form/use-form.js'
import { discardChanges } from '../lib/unsaved-changes.js'
import { AlertDialog } from './alert-dialog.js'
import { dialogOnDemand } from './dialog-on-demand.js'
import { Field } from './field.js'
import { Form } from './form.js'
import { Input } from './input.js'
import { LeaveQuestion } from './leave-question.js'

afterEach(discardChanges)

function NoteForm({ isAccepted }: { isAccepted: boolean }) {
  const navigate = useNavigate()
  const form = useForm({ initial: { note: '' }, validate: () => ({}), asksToLeave: true })
  const send = async () => {
    await Promise.resolve()
    if (isAccepted) await navigate('/sent')
    return isAccepted ? {} : { note: 'Too short' }
  }
  return (
    <Form form={form} onSubmit={send}>
      <Field label="Note" {...form.field('note')}>
        <Input />
      </Field>
      <button type="submit">Send</button>
      <Link to="/form?step=2">Next step</Link>
      <Link to="/other">Elsewhere</Link>
    </Form>
  )
}

function start({ isAccepted = true, Dialog = AlertDialog } = {}) {
  const layout = (
    <>
      <Outlet />
      <LeaveQuestion Dialog={Dialog} />
    </>
  )
  const page = { path: '/form', element: <NoteForm isAccepted={isAccepted} /> }
  const { router } = showRoutes(
    [{ element: layout, children: [page, { path: '/other', element: <p>Other</p> }] }],
    '/form',
  )
  return { address: () => router.state.location.pathname + router.state.location.search, router }
}

const type = () => userEvent.type(screen.getByLabelText('Note'), 'Hello')
const leave = () => userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }))
const question = () => screen.findByRole('alertdialog', { name: 'Leave without saving?' })
const isBrowserAsked = () => !fireEvent(window, new Event('beforeunload', { cancelable: true }))

test('a page whose form was not changed is left without a question', async () => {
  start()
  expect(isBrowserAsked()).toBe(false)
  await leave()
  expect(await screen.findByText('Other')).toBeTruthy()
})

test('a page with changes asks before it is left: Stay keeps them, Leave gives them up', async () => {
  const { address } = start()
  await type()
  expect(isBrowserAsked()).toBe(true)
  await leave()
  await question()
  expect(screen.getByText('Your changes on this page are not saved.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  expect(address()).toBe('/form')
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Hello')
  await leave()
  await question()
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }))
  expect(await screen.findByText('Other')).toBeTruthy()
  expect(isBrowserAsked()).toBe(false)
})

test('another step of the form is the same page', async () => {
  const { address } = start()
  await type()
  await userEvent.click(screen.getByRole('link', { name: 'Next step' }))
  expect(address()).toBe('/form?step=2')
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('a form that was sent leads on without a question', async () => {
  start()
  await type()
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('At /sent')).toBeTruthy()
  expect(isBrowserAsked()).toBe(false)
})

test('a form that was refused still asks', async () => {
  start({ isAccepted: false })
  await type()
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Too short')).toBeTruthy()
  await leave()
  expect(await question()).toBeTruthy()
})

test('changes that are taken back ask nothing', async () => {
  start()
  await type()
  await userEvent.clear(screen.getByLabelText('Note'))
  await leave()
  expect(await screen.findByText('Other')).toBeTruthy()
})

test('the browser asks when the code of the question does not come', async () => {
  const error = jest.spyOn(console, 'error').mockReturnValue()
  const confirm = jest.fn<typeof window.confirm>().mockReturnValueOnce(false).mockReturnValueOnce(true)
  const unstub = stubGlobals({ confirm })
  const { address } = start({ Dialog: dialogOnDemand(() => Promise.reject(new TypeError('Failed to fetch'))) })
  await type()
  await leave()
  await waitFor(() => expect(confirm).toHaveBeenCalledWith('Leave without saving?'), { timeout: 2_000 })
  expect(address()).toBe('/form')
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Hello')
  await leave()
  expect(await screen.findByText('Other')).toBeTruthy()
  unstub()
  error.mockRestore()
})
