import { DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings as Settings } from '@holdfast/kernel/messages'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { show } from '../../../test/show.js'
import { NotificationSettings } from './notification-settings.js'
import type { SettingChange } from './use-setting-changes.js'

const LABELS = {
  'Email notifications': true,
  'SMS notifications': false,
  'Push notifications': true,
  'Transaction updates': true,
  Messages: true,
  Disputes: true,
  'Marketing emails': false,
  'Security alerts': true,
}
const NO_BROWSERS = { 'GET /api/push': () => ({ body: { publicKey: 'AAAA', browsers: [] } }) }
const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name })

test('shows the eight settings as they are, and saves one when it is switched', async () => {
  let settings: Settings = DEFAULT_NOTIFICATION_SETTINGS
  let sent: SettingChange | undefined
  fakeServer({
    'GET /api/notifications/settings': () => ({ body: settings }),
    ...NO_BROWSERS,
    'PUT /api/notifications/settings': ({ body }) => {
      sent = body as SettingChange
      const { changed: _, ...all } = sent
      settings = all
      return { body: settings }
    },
  })
  show(<NotificationSettings />)
  for (const [label, on] of Object.entries(LABELS)) expect([label, (await toggle(label)).checked]).toEqual([label, on])
  await userEvent.click(await toggle('Messages'))
  expect(await screen.findByText('Notification Settings Updated')).toBeTruthy()
  expect(sent).toEqual({
    ...DEFAULT_NOTIFICATION_SETTINGS,
    ...{ messageNotifications: false, changed: ['messageNotifications'] },
  })
  await waitFor(async () => expect((await toggle('Messages')).checked).toBe(false))
})

test('a switch that could not be saved stays as it was', async () => {
  fakeServer({
    'GET /api/notifications/settings': () => ({ body: DEFAULT_NOTIFICATION_SETTINGS }),
    ...NO_BROWSERS,
    'PUT /api/notifications/settings': () => refusal('CONFLICT'),
  })
  show(<NotificationSettings />)
  await userEvent.click(await toggle('Messages'))
  expect(await screen.findByText('Update Failed')).toBeTruthy()
  expect(screen.getByText('Failed to update notification settings.')).toBeTruthy()
  expect((await toggle('Messages')).checked).toBe(true)
})

test('switches that are pressed quickly are all saved, and the last choice stays', async () => {
  let settings: Settings = DEFAULT_NOTIFICATION_SETTINGS
  const sent: Settings[] = []
  let answer = () => {}
  fakeServer({
    'GET /api/notifications/settings': () => ({ body: settings }),
    ...NO_BROWSERS,
    'PUT /api/notifications/settings': async ({ body }) => {
      sent.push(body as Settings)
      await new Promise<void>(resolve => {
        answer = resolve
      })
      const { changed: _, ...all } = body as SettingChange
      settings = all
      return { body: settings }
    },
  })
  show(<NotificationSettings />)
  await userEvent.click(await toggle('Messages'))
  await userEvent.click(await toggle('Disputes'))
  await userEvent.click(await toggle('Messages'))
  expect([(await toggle('Messages')).checked, (await toggle('Disputes')).checked]).toEqual([true, false])
  for (const count of [1, 2, 3]) {
    await waitFor(() => expect(sent).toHaveLength(count))
    answer()
  }
  await waitFor(() => expect(settings).toEqual({ ...DEFAULT_NOTIFICATION_SETTINGS, disputeNotifications: false }))
  expect(sent.map(({ messageNotifications }) => messageNotifications)).toEqual([false, false, true])
  await waitFor(async () => expect((await toggle('Disputes')).checked).toBe(false))
  expect((await toggle('Messages')).checked).toBe(true)
})
