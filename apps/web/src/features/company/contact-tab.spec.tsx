import { afterEach, expect, test } from '@jest/globals'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { show } from '../../../test/show.js'
import { ContactTab } from './contact-tab.js'

afterEach(cleanup)

const email = () => screen.getByLabelText<HTMLInputElement>('Email')
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send Message' }))

test('an address without an @ is called wrong at its field, by the page and not by the browser', async () => {
  show(<ContactTab />)
  await userEvent.type(email(), 'maya')
  await send()
  expect(await screen.findByText('Enter an email address with an @')).toBeTruthy()
  expect(email().form?.noValidate).toBe(true)
  expect(document.activeElement).toBe(email())
  expect(screen.queryByText('Your e-mail is ready')).toBeNull()
})

test('opens the mail program; no field is required', async () => {
  show(<ContactTab />)
  await userEvent.type(screen.getByLabelText('Subject'), 'Fees')
  await send()
  expect(await screen.findByText('Your e-mail is ready')).toBeTruthy()
})
