import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link, Outlet } from 'react-router-dom'
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

const NOT_LOADED = new TypeError(
  'Failed to fetch dynamically imported module: http://localhost:3000/assets/browse-page.js',
)

/** The home page, and a page whose code does not come, with links to both above them. */
const showNavigation = () => {
  const links = (
    <>
      <Link to="/">Home</Link>
      <Link to="/late">Late</Link>
      <Outlet />
    </>
  )
  const late = { path: '/late', lazy: () => Promise.reject(NOT_LOADED) }
  const pages = { errorElement: <RouteError />, children: [{ path: '/', element: <p>Welcome</p> }, late] }
  return showRoutes([{ element: links, children: [pages] }], '/')
}
const click = (name: string) => userEvent.click(screen.getByRole('link', { name }))
const failure = () => screen.findByRole('heading', { name: 'This page could not be loaded' })

test('a page whose code did not come is tried again each time that it is opened', async () => {
  showNavigation()
  await screen.findByText('Welcome')
  await click('Late')
  await failure()
  await waitFor(() => expect(fetch).toHaveBeenCalledTimes(1))
  await click('Late')
  await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2), { timeout: 2_000 })
})

test('the error is gone on the next page, which is not loaded again', async () => {
  showNavigation()
  await screen.findByText('Welcome')
  await click('Late')
  await failure()
  await waitFor(() => expect(fetch).toHaveBeenCalled())
  await click('Home')
  expect(await screen.findByText('Welcome')).toBeTruthy()
  expect(jest.mocked(fetch).mock.lastCall?.[1]?.signal?.aborted).toBe(true)
})
