import type { Notification } from '@holdfast/contracts/messages'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../test/fake-server.js'
import { forgetAnswers, show } from '../../../test/show.js'
import { NotificationBell } from './notification-bell.js'

beforeEach(forgetAnswers)
afterEach(cleanup)

const paid: Notification = {
  id: '01900000-0000-7000-8000-000000000009',
  type: 'transaction',
  title: 'Payment received',
  message: 'Ship the oak chair.',
  transactionId: 42,
  read: false,
  time: '2026-11-29T10:00:00.000Z',
}

test('the bell counts every unread notification, and opening it marks them as read', async () => {
  let unread = 31
  const { calls } = fakeServer({
    'GET /api/notifications': () => ({ body: [paid] }),
    'GET /api/notifications/unread': () => ({ body: { unread } }),
    'POST /api/notifications/read': () => {
      unread = 0
      return { status: 204 }
    },
  })
  show(<NotificationBell />)
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 31 unread' }))
  expect(await screen.findByText('Payment received')).toBeTruthy()
  expect(calls).toContain('POST /api/notifications/read')
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
})
