import { ERROR_MESSAGES } from '@holdfast/kernel/errors'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { PersonalInformation } from './personal-information.js'

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
const retype = async (label: string | RegExp, text: string) => {
  await userEvent.clear(screen.getByLabelText(label))
  await userEvent.type(screen.getByLabelText(label), text)
}

test('saves what was changed, and sends no password while the address stays', async () => {
  const sent: unknown[] = []
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'PUT /api/profile': ({ body }) => {
      sent.push(body)
      return { body: ben }
    },
  })
  show(<PersonalInformation user={ben} />)
  await retype('First Name', 'Benedict')
  await retype(/^Phone Number/, '555 0100')
  await save()
  expect(await screen.findByText('Profile Updated')).toBeTruthy()
  const { lastName, username, email } = ben
  const body = { firstName: 'Benedict', lastName, username, email, phoneNumber: '555 0100' }
  expect(sent).toEqual([{ ...body, changed: ['firstName', 'phoneNumber'] }])
  // What this tab has saved already may have been changed in another one since.
  await retype('Last Name', 'Burns')
  await save()
  await waitFor(() => expect(sent[1]).toMatchObject({ changed: ['lastName'] }))
})

test('asks for the password with a new address, and says what happens next', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }), 'PUT /api/profile': () => ({ body: ben }) })
  show(<PersonalInformation user={ben} />)
  await retype('Email', 'new@example.com')
  await save()
  expect(await screen.findByText('Enter your password')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse battery')
  await save()
  expect(
    await screen.findByText('Your new address counts when you open the link that we have mailed to new@example.com.'),
  ).toBeTruthy()
})

test('shows a refusal at its field and in the words of the spec', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'PUT /api/profile': () =>
      refusal('USERNAME_TAKEN', undefined, { fields: { username: ERROR_MESSAGES.USERNAME_TAKEN } }),
  })
  show(<PersonalInformation user={ben} />)
  await retype('Username', 'ana')
  await save()
  expect(await screen.findByText(ERROR_MESSAGES.USERNAME_TAKEN)).toBeTruthy()
  expect(screen.getByText('Failed to update profile. Please try again.')).toBeTruthy()
})
