import { screen } from '@testing-library/react'
import { showRoutes } from '../../test/show.js'
import { RouteError } from './route-error.js'

beforeEach(() => {
  jest.spyOn(console, 'error').mockReturnValue()
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
})
afterEach(() => {
  jest.restoreAllMocks()
})

const showFailing = (error: Error) =>
  showRoutes([{ errorElement: <RouteError />, children: [{ path: '/', lazy: () => Promise.reject(error) }] }], '/')

test('a page whose code did not come is not called broken', async () => {
  showFailing(new TypeError('Failed to fetch dynamically imported module: http://localhost:3000/assets/browse-page.js'))
  expect(await screen.findByRole('heading', { name: 'This page could not be loaded' })).toBeTruthy()
})

test('a page that threw is', async () => {
  showFailing(new TypeError("Cannot read properties of undefined (reading 'id')"))
  expect(await screen.findByRole('heading', { name: 'This page broke' })).toBeTruthy()
})
