import { type RenderResult, render } from '@testing-library/react'
import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { createMemoryRouter, Outlet, type RouteObject, RouterProvider, useLocation } from 'react-router-dom'
import { mutate, SWRConfig } from 'swr'
import Toaster from '../src/components/toaster.js'
import { cancelSecondRefreshes } from '../src/lib/live/changes.js'
import { forgetAsked } from '../src/lib/read-ahead.js'

type Router = ComponentProps<typeof RouterProvider>['router']

/**
 * Shows an element at an address, with toasts, and every other address as "At /address".
 *
 * @param path the route's pattern, where it has parameters
 */
export function show(element: ReactNode, address = '/', path = address) {
  return showRoutes([{ path: path.split(/[?#]/)[0]!, element: <Suspense>{element}</Suspense> }], address)
}

/** The same for routes of the app. */
export function showRoutes(routes: RouteObject[], address: string): RenderResult & { readonly router: Router } {
  const elsewhere = { path: '*', Component: Elsewhere }
  const all = [{ Component: Outlet, HydrateFallback: Nothing, children: [...routes, elsewhere] }]
  const router = createMemoryRouter(all, { initialEntries: [address] })
  const shown = render(
    <SWRConfig value={{ dedupingInterval: 0, errorRetryCount: 0 }}>
      <RouterProvider router={router} />
      <Toaster />
    </SWRConfig>,
  )
  return { ...shown, router }
}

/** Forgets what the server answered in the test before, and cancels the requests that this test would make later. */
export async function forgetAnswers(): Promise<void> {
  cancelSecondRefreshes()
  forgetAsked()
  await mutate(() => true, undefined)
}

const Nothing = () => null

function Elsewhere() {
  return <p>At {useLocation().pathname}</p>
}
