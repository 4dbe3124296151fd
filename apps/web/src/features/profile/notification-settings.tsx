import { routes } from 'virtual:routes'
import type { NotificationSetting, NotificationSettings as Settings } from '@holdfast/kernel/messages'
import { lazy, Suspense } from 'react'
import { Switch } from '../../components/checkbox.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { useSettingChanges } from './use-setting-changes.js'

const PhoneTexts = lazy(() => import('./phone-texts.js'))
const PushBrowsers = lazy(() => import('./push-browsers.js'))

interface Row {
  readonly setting: NotificationSetting
  readonly label: string
  readonly hint: string
}

/** What the bell and mails are about. */
const TOPICS: readonly Row[] = [
  {
    setting: 'transactionUpdates',
    label: 'Transaction updates',
    hint: 'Each step of your transactions, and your payouts.',
  },
  { setting: 'messageNotifications', label: 'Messages', hint: 'What the other side writes to you.' },
  { setting: 'disputeNotifications', label: 'Disputes', hint: 'Evidence, proposals, rulings, and time limits.' },
  { setting: 'securityAlerts', label: 'Security alerts', hint: 'What concerns the safety of your account.' },
]

/** The channels by which a user is notified. */
const CHANNELS: readonly Row[] = [
  {
    setting: 'emailNotifications',
    label: 'Email notifications',
    hint: 'What is on above, by mail, once your address is confirmed. Mails about your account, such as a new password, are always sent.',
  },
  {
    setting: 'smsNotifications',
    label: 'SMS notifications',
    hint: 'Of what is on above only security alerts, payouts and disputes, to a number that you have confirmed.',
  },
  {
    setting: 'pushNotifications',
    label: 'Push notifications',
    hint: 'What is on above, in the browsers that you turn on here. They show the title only, no word of a message.',
  },
  { setting: 'marketingEmails', label: 'Marketing emails', hint: 'None are sent yet. Your choice is kept.' },
]

/** The eight settings of notifications. Each is saved when it is switched. */
export function NotificationSettings() {
  const query = useCall(routes.getNotificationSettings, {})
  return (
    <section id="notifications">
      <h2 className="display mb-4 text-xl">Notifications</h2>
      <QueryState
        query={query}
        errorTitle="The notification settings could not be loaded"
        loading={
          <Loading label="Loading notification settings">
            <Skeleton className="h-80 w-full" />
          </Loading>
        }
      >
        {settings => <Switches settings={settings} />}
      </QueryState>
    </section>
  )
}

function Switches({ settings: saved }: { settings: Settings }) {
  const { give } = useCommand(routes.changeNotificationSettings, {
    whether: 'the setting was saved',
    done: () => ['Notification Settings Updated'],
    refused: () => ['Update Failed', 'Failed to update notification settings.'],
    refresh: () => Promise.all([refresh(routes.getNotificationSettings), refreshAfter({ kind: 'notifications' })]),
  })
  const { settings, change } = useSettingChanges(saved, body => give({ body }))
  return [
    { title: 'What you are told about', rows: TOPICS },
    { title: 'How else you are told', rows: CHANNELS },
  ].map(({ title, rows }) => (
    <div key={title} className="mb-6">
      <h3 className="text-sm font-semibold text-ink-soft">{title}</h3>
      <ul className="mt-1 divide-y divide-rule border-y border-rule">
        {rows.map(({ setting, ...words }) => (
          <li key={setting} className="py-3">
            <Switch {...words} checked={settings[setting]} onChange={event => change(setting, event.target.checked)} />
            {setting === 'smsNotifications' && settings.smsNotifications && (
              <Suspense>
                <PhoneTexts />
              </Suspense>
            )}
            {setting === 'pushNotifications' && settings.pushNotifications && (
              <Suspense>
                <PushBrowsers />
              </Suspense>
            )}
          </li>
        ))}
      </ul>
    </div>
  ))
}
