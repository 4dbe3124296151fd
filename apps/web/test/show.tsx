import { type RenderResult, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom'
import { mutate, SWRConfig } from 'swr'
import { Toaster } from '../src/components/toaster.js'
import { dropSecondAskings } from '../src/lib/live/changes.js'

/**
 * Shows an element at an address, with toasts, and every other address as "At /address".
 *
 * @param path the route's pattern, where it has parameters
 */
export function show(element: ReactNode, address = '/', path = address): RenderResult {
  const router = createMemoryRouter(
    [
      { path, element },
      { path: '*', Component: Elsewhere },
    ],
    { initialEntries: [address] },
  )
  return render(
    <SWRConfig value={{ dedupingInterval: 0, errorRetryCount: 0 }}>
      <RouterProvider router={router} />
      <Toaster />
    </SWRConfig>,
  )
}

/** Forgets what the server answered in the test before, and what that test would have asked later. */
export async function forgetAnswers(): Promise<void> {
  dropSecondAskings()
  await mutate(() => true, undefined)
}

function Elsewhere() {
  return <p>At {useLocation().pathname}</p>
}
