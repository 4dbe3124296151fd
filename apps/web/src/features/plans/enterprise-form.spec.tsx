import { ENTERPRISE_FAULTS } from '@holdfast/kernel/enquiries'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { show } from '../../../test/show.js'
import EnterpriseForm from './enterprise-form.js'

const send = () => userEvent.click(screen.getByRole('button', { name: 'Submit Request' }))

test('names everything that is missing, in the words of the spec, and sends nothing', async () => {
  const { calls } = fakeServer({})
  show(<EnterpriseForm />)
  await userEvent.type(screen.getByLabelText('What you need'), 'too short')
  await send()
  for (const words of Object.values(ENTERPRISE_FAULTS)) expect(await screen.findByText(words)).toBeTruthy()
  expect(calls).toEqual([])
})

test('a request that fails keeps what was typed, and one that arrives shows its number and the ways on', async () => {
  let answer: () => object = () => refusal('RATE_LIMITED')
  fakeServer({ 'POST /api/enterprise-contact': () => answer() })
  show(<EnterpriseForm />)
  for (const [label, text] of [
    ['First Name', 'Bo'],
    ['Last Name', 'Lund'],
    ['Work Email', 'bo@example.org'],
    ['Company', 'Lund & Co'],
    ['Job Title', 'CFO'],
    ['What you need', 'We sell boats, many boats.'],
  ] as const)
    await userEvent.type(screen.getByLabelText(label), text)
  await userEvent.selectOptions(screen.getByLabelText('Company Size'), '50-99')
  await userEvent.selectOptions(screen.getByLabelText('Monthly Volume'), '$10M+')
  await send()
  expect(await screen.findByText('Failed to submit request. Please try again.')).toBeTruthy()
  answer = () => ({ status: 201, body: { number: 1043 } })
  await send()
  expect(await screen.findByText('Our enterprise team will contact you within 24 hours.')).toBeTruthy()
  expect(screen.getByText('Your request has arrived as no. 1043.')).toBeTruthy()
  for (const name of ['Back to Home', 'Back to Plans']) expect(screen.getByRole('link', { name })).toBeTruthy()
})

test.each([
  ['123456789', 1],
  ['   123456789   ', 1],
  ['1234567890', 0],
])('the message %j is refused %d times: it needs ten characters', async (message, refusals) => {
  fakeServer({})
  show(<EnterpriseForm />)
  await userEvent.type(screen.getByLabelText('What you need'), message)
  await send()
  await screen.findByText(ENTERPRISE_FAULTS.firstName)
  expect(screen.queryAllByText(ENTERPRISE_FAULTS.message)).toHaveLength(refusals)
})
