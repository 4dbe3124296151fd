import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { later } from '../../../test/later.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import ContactTab from './contact-tab.js'

const email = () => screen.getByLabelText<HTMLInputElement>('Email')
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send Message' }))

test('an address without an @ is called wrong at its field, by the page and not by the browser', async () => {
  fakeServer({ 'GET /api/auth/user': () => refusal('UNAUTHENTICATED') })
  show(<ContactTab />)
  await userEvent.type(screen.getByLabelText('Name'), 'Maya')
  await userEvent.type(email(), 'maya')
  await send()
  expect(await screen.findByText('Enter an email address with an @')).toBeTruthy()
  for (const words of ['Enter a subject', 'Enter your message']) expect(screen.getByText(words)).toBeTruthy()
  expect(email().form?.noValidate).toBe(true)
  await waitFor(() => expect(document.activeElement).toBe(email()))
})

test('a user whose session is found out only after the form was drawn need not type who they are, and keeps what they typed', async () => {
  const { isAnswered, answer } = later()
  fakeServer({
    'GET /api/auth/user': async () => {
      await isAnswered
      return { body: ben }
    },
  })
  show(<ContactTab />)
  await userEvent.type(screen.getByLabelText('Name'), 'Benny')
  answer()
  await waitFor(() => expect(email().value).toBe(ben.email))
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Benny')
})

test('a message is sent once, and its number is shown; a refusal keeps what was typed', async () => {
  let answer: () => object = () => refusal('RATE_LIMITED')
  const server = fakeServer({
    'GET /api/auth/user': () => refusal('UNAUTHENTICATED'),
    'POST /api/support/tickets': () => answer(),
  })
  show(<ContactTab />)
  for (const [label, text] of [
    ['Name', 'Maya'],
    ['Email', 'maya@example.com'],
    ['Subject', 'Fees'],
    ['Message', 'Why 2 %?'],
  ] as const)
    await userEvent.type(screen.getByLabelText(label), text)
  await send()
  expect(await screen.findByText('Your message was not sent')).toBeTruthy()
  answer = () => ({ status: 201, body: { number: 1042 } })
  await send()
  expect(await screen.findByText('Your message has arrived as no. 1042.')).toBeTruthy()
  expect(server.calls.filter(call => call.startsWith('POST'))).toHaveLength(2)
  await userEvent.click(screen.getByRole('button', { name: 'Write Another Message' }))
  expect(await screen.findByLabelText('Subject')).toBeTruthy()
})
