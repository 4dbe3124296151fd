import type { Phone } from '@holdfast/contracts/phone'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { show } from '../../../test/show.js'
import PhoneTexts from './phone-texts.js'

const phone = (change: Partial<Phone> = {}): Phone => ({
  ...{ isOffered: true, number: '+15550100100', isConfirmed: false, isStopped: false },
  ...change,
})

test('a number is confirmed with the code that was texted to it, and a wrong code is named at its field', async () => {
  let known = phone()
  fakeServer({
    'GET /api/phone': () => ({ body: known }),
    'POST /api/phone/code': () => ({ status: 204 }),
    'POST /api/phone/confirm': ({ body }) => {
      if ((body as { code: string }).code !== '123456')
        return refusal('VALIDATION_FAILED', 'Please check your input.', { fields: { code: 'This code is wrong.' } })
      known = phone({ isConfirmed: true })
      return { body: known }
    },
  })
  show(<PhoneTexts />)
  await userEvent.click(await screen.findByRole('button', { name: 'Text a Code' }))
  const code = await screen.findByLabelText(/^Code/)
  await userEvent.type(code, '654321{Enter}')
  expect(await screen.findByText('This code is wrong.')).toBeTruthy()
  await userEvent.clear(code)
  await userEvent.type(code, '123456{Enter}')
  expect(await screen.findByText('Texts go to +15550100100. Answer STOP to end them.')).toBeTruthy()
})

test.each([
  [phone({ number: null }), /with its country code/],
  [phone({ isOffered: false }), /not offered here/],
  [phone({ isConfirmed: true, isStopped: true }), /answered STOP/],
])('says what is missing: %j', async (known, words) => {
  fakeServer({ 'GET /api/phone': () => ({ body: known }) })
  show(<PhoneTexts />)
  expect(await screen.findByText(words)).toBeTruthy()
})

test.each([
  [
    refusal('VALIDATION_FAILED', undefined, { fields: { phoneNumber: 'We do not send texts there' } }),
    /send texts there/,
  ],
  [refusal('EMAIL_NOT_CONFIRMED'), /confirm your e-mail address first/],
])('says why no code is sent', async (answer, words) => {
  fakeServer({ 'GET /api/phone': () => ({ body: phone() }), 'POST /api/phone/code': () => answer })
  show(<PhoneTexts />)
  await userEvent.click(await screen.findByRole('button', { name: 'Text a Code' }))
  expect(await screen.findByText(words)).toBeTruthy()
})
