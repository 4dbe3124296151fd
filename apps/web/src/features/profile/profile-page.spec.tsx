import { DEFAULT_NOTIFICATION_SETTINGS } from '@holdfast/kernel/messages'
import { screen } from '@testing-library/react'
import { fakeServer } from '../../../test/fake-server.js'
import { later } from '../../../test/later.js'
import { ben } from '../../../test/people.js'
import { forgetAnswers, show } from '../../../test/show.js'
import { Protected } from '../../app/protected.js'
import ProfilePage from './profile-page.js'

test('the forms of the account come when the lists above them are there, which would push away the field in use', async () => {
  await forgetAnswers()
  const { isAnswered, answer } = later()
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/notifications/settings': () => ({ body: DEFAULT_NOTIFICATION_SETTINGS }),
    'GET /api/auth/sessions': async () => {
      await isAnswered
      return { body: [] }
    },
    'GET /api/users/blocked': () => ({ body: [] }),
    'GET /api/push': () => ({ body: { publicKey: 'AAAA', browsers: [] } }),
  })
  show(
    <Protected>
      <ProfilePage />
    </Protected>,
    '/profile',
  )
  expect(await screen.findByLabelText('First Name')).toBeTruthy()
  expect(await screen.findByText(/You have blocked no one/)).toBeTruthy()
  expect(screen.queryByLabelText('Present Password')).toBeNull()
  answer()
  expect(await screen.findByLabelText('Present Password')).toBeTruthy()
})
