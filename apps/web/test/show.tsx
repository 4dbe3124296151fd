import { type RenderResult, render } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { mutate, SWRConfig } from 'swr'
import { Route, Switch } from 'wouter'
import { Toaster } from '../src/components/toaster.js'
import { cancelSecondRefreshes } from '../src/lib/live/changes.js'
import { Navigation, useLocation } from '../src/lib/navigation.js'

/**
 * Shows an element at an address, with toasts, and every other address as "At /address".
 *
 * @param path the route's pattern, where it has parameters
 */
export function show(element: ReactNode, address = '/', path = address): RenderResult {
  window.history.replaceState(null, '', address)
  return render(
    <SWRConfig value={{ dedupingInterval: 0, errorRetryCount: 0 }}>
      <Navigation>
        <Suspense>
          <Switch>
            <Route path={path.split(/[?#]/)[0]!}>{element}</Route>
            <Route component={Elsewhere} />
          </Switch>
        </Suspense>
      </Navigation>
      <Toaster />
    </SWRConfig>,
  )
}

/** Forgets what the server answered in the test before, and cancels the requests that this test would make later. */
export async function forgetAnswers(): Promise<void> {
  cancelSecondRefreshes()
  await mutate(() => true, undefined)
}

function Elsewhere() {
  return <p>At {useLocation().path}</p>
}
