import { cleanup, render, screen } from '@testing-library/react'
import { lazy } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { Navigation } from '../lib/navigation.js'
import { RouteError } from './route-error.js'

beforeEach(() => {
  jest.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

function showFailing(error: Error) {
  const Page = lazy(() => Promise.reject(error))
  render(
    <Navigation>
      <ErrorBoundary FallbackComponent={RouteError}>
        <Page />
      </ErrorBoundary>
    </Navigation>,
  )
}

test('a page whose code did not come is not called broken', async () => {
  showFailing(new TypeError('Failed to fetch dynamically imported module: http://localhost:3000/assets/browse-page.js'))
  expect(await screen.findByRole('heading', { name: 'This page could not be loaded' })).toBeTruthy()
})

test('a page that threw is', async () => {
  showFailing(new TypeError("Cannot read properties of undefined (reading 'id')"))
  expect(await screen.findByRole('heading', { name: 'This page broke' })).toBeTruthy()
})
