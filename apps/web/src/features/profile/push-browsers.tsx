import { routes } from 'virtual:routes'
import type { PushBrowser } from '@holdfast/contracts/push'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { NotAllowed, pushAbility, subscribeHere, unsubscribeHere } from '../../lib/browser-push.js'
import { formatDateTime } from '../../lib/time.js'
import { toastError } from '../../lib/toast.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { deviceName } from './device-name.js'

/** The browsers that get push messages, and the button for this one. */
export default function PushBrowsers() {
  const query = useCall(routes.getPush, {})
  return (
    <QueryState
      query={query}
      errorTitle="Your browsers could not be loaded"
      loading={
        <Loading label="Loading your browsers">
          <Skeleton className="mt-2 h-11 w-48" />
        </Loading>
      }
    >
      {({ publicKey, browsers }) => (
        <div className="mt-3 grid gap-3 text-sm">
          {browsers.length > 0 && (
            <ul aria-label="Browsers with push notifications" className="grid gap-2">
              {browsers.map(browser => (
                <Browser key={browser.id} browser={browser} />
              ))}
            </ul>
          )}
          {!browsers.some(({ current }) => current) && <TurnOn publicKey={publicKey} />}
        </div>
      )}
    </QueryState>
  )
}

function Browser({ browser: { id, current, userAgent, createdAt } }: { browser: PushBrowser }) {
  const { give, busy } = useCommand(routes.removePushSubscription, {
    whether: 'push notifications were switched off',
    done: () => ['Push notifications are off in that browser'],
    refused: error => ['Push notifications were not switched off', error.serverMessage],
    onDone: async () => current && unsubscribeHere(),
    refresh: () => refresh(routes.getPush),
  })
  const name = deviceName(userAgent)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span>
        {name}
        {current && <span className="font-semibold">, this browser</span>}
        <span className="block text-ink-soft">Switched on {formatDateTime(new Date(createdAt))}</span>
      </span>
      <Button
        kind="quiet"
        size="sm"
        busy={busy}
        aria-label={`Turn off ${current ? 'this browser' : name}`}
        onClick={() => void give({ params: { subscriptionId: id } })}
      >
        Turn Off
      </Button>
    </li>
  )
}

/** Asks for the browser's permission, and only when it is pressed. */
function TurnOn({ publicKey }: { publicKey: string }) {
  const [ability, setAbility] = useState(pushAbility)
  const [isAsking, setAsking] = useState(false)
  const { give, busy } = useCommand(routes.addPushSubscription, {
    whether: 'push notifications were switched on',
    done: () => ['Push notifications are on', 'For as long as you are signed in with this browser.'],
    refused: error => ['Push notifications are not on', error.serverMessage],
    refresh: () => refresh(routes.getPush),
  })
  async function turnOn() {
    setAsking(true)
    try {
      await give({ body: await subscribeHere(publicKey) })
    } catch (error) {
      setAbility(pushAbility())
      if (error instanceof NotAllowed) return
      console.error('subscribing to push messages failed', error)
      toastError(
        'Push notifications are not on',
        'Your browser could not reach its push service. Please try again later.',
      )
    } finally {
      setAsking(false)
    }
  }
  if (ability === 'missing') return <p className="text-ink-soft">This browser does not offer push notifications.</p>
  if (ability === 'forbidden')
    return (
      <p className="text-ink-soft">
        You do not allow notifications of this site. Change that in the settings of your browser, then load this page
        again.
      </p>
    )
  return (
    <Button kind="quiet" size="sm" busy={busy || isAsking} onClick={() => void turnOn()} className="w-fit">
      Turn On in This Browser
    </Button>
  )
}
