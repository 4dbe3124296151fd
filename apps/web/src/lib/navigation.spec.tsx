import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { Link, Navigation, useNavigation, useSearchParams } from './navigation.js'

const scrollTo = jest.fn()
beforeEach(() => {
  window.history.replaceState(null, '', '/')
  Object.assign(window, { scrollTo })
})
afterEach(() => {
  cleanup()
  scrollTo.mockClear()
})

function Home() {
  const [params, setParams] = useSearchParams()
  return (
    <>
      <h1>Home {params.get('q')}</h1>
      <Link to="/next">Next</Link>
      <button type="button" onClick={() => setParams(new URLSearchParams({ q: '50% %26' }))}>
        Search
      </button>
    </>
  )
}

const Busy = () => (useNavigation().isLoading ? <p>Loading the next page</p> : null)

function start(Next: ComponentType) {
  render(
    <Navigation>
      <Busy />
      <Suspense fallback={<p>Nothing to show yet</p>}>
        <Switch>
          <Route path="/" component={Home} />
          <Route path="/next" component={Next} />
        </Switch>
      </Suspense>
    </Navigation>,
  )
  return userEvent.setup()
}

test('the current page stays until the code of the next one is there, and the next one begins at its top', async () => {
  let arrive: (page: { default: ComponentType }) => void = () => undefined
  const user = start(lazy(() => new Promise<{ default: ComponentType }>(resolve => (arrive = resolve))))
  await user.click(screen.getByRole('link', { name: 'Next' }))
  expect(screen.getByRole('heading', { name: 'Home' })).toBeTruthy()
  expect(screen.getByText('Loading the next page')).toBeTruthy()
  expect(screen.queryByText('Nothing to show yet')).toBeNull()
  expect(scrollTo).not.toHaveBeenCalled()
  await act(async () => arrive({ default: () => <h1>The next page</h1> }))
  expect(await screen.findByRole('heading', { name: 'The next page' })).toBeTruthy()
  expect(screen.queryByText('Loading the next page')).toBeNull()
  expect(scrollTo).toHaveBeenCalledTimes(1)
})

test('Back shows the previous page, and leaves its scroll position to the browser', async () => {
  const user = start(() => <h1>The next page</h1>)
  await user.click(screen.getByRole('link', { name: 'Next' }))
  await screen.findByRole('heading', { name: 'The next page' })
  scrollTo.mockClear()
  act(() => window.history.back())
  expect(await screen.findByRole('heading', { name: 'Home' })).toBeTruthy()
  expect(scrollTo).not.toHaveBeenCalled()
})

test('a link to the page that is shown is no new step in the history', async () => {
  const user = start(() => <Link to="/next">Again</Link>)
  await user.click(screen.getByRole('link', { name: 'Next' }))
  const steps = window.history.length
  await user.click(await screen.findByRole('link', { name: 'Again' }))
  expect(window.history.length).toBe(steps)
})

test('a new search keeps the scroll position, and the page gets its text as it was written', async () => {
  const user = start(() => null)
  await user.click(screen.getByRole('button', { name: 'Search' }))
  expect(await screen.findByRole('heading', { name: 'Home 50% %26' })).toBeTruthy()
  expect(scrollTo).not.toHaveBeenCalled()
})
