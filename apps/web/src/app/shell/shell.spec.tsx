import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { SpiedFunction } from 'jest-mock'
import type { ComponentType } from 'react'
import { Link, type RouteObject, useSearchParams } from 'react-router-dom'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { showRoutes } from '../../../test/show.js'
import { Shell } from './shell.js'

const scrollTo = jest.fn()
let scrollIntoView: SpiedFunction<Element['scrollIntoView']>
beforeEach(() => {
  scrollIntoView = jest.spyOn(Element.prototype, 'scrollIntoView')
  Object.assign(window, { scrollTo })
  sessionStorage.clear()
  fakeServer({ 'GET /api/auth/user': () => refusal('UNAUTHENTICATED') })
})
afterEach(() => {
  scrollTo.mockClear()
  scrollIntoView.mockRestore()
})

function Home() {
  const [params, setParams] = useSearchParams()
  return (
    <>
      <h1>Home {params.get('q')}</h1>
      <Link to="/next">Next</Link>
      <Link to="/next#fees">What it costs</Link>
      <Link to="/next#gone">What it cost</Link>
      <button type="button" onClick={() => setParams({ q: '50% %26' }, { preventScrollReset: true })}>
        Search
      </button>
    </>
  )
}

function Next() {
  return (
    <>
      <h1>The next page</h1>
      <Link to="/next">Again</Link>
      <section id="fees" tabIndex={-1}>
        Fees
      </section>
    </>
  )
}

const open = (next: RouteObject = { Component: Next }, address = '/') =>
  showRoutes(
    [{ Component: Shell, children: [{ path: '/', Component: Home }, { path: '/next', ...next } as RouteObject] }],
    address,
  ).router

const click = (name: string) => userEvent.click(screen.getByRole('link', { name }))
const heading = (name: string) => screen.findByRole('heading', { name })

test('the page stays until the code of the next one is there, which begins at its top with the focus', async () => {
  let arrive = () => {}
  const code = new Promise<{ Component: ComponentType }>(resolve => {
    arrive = () => resolve({ Component: Next })
  })
  open({ lazy: () => code })
  await heading('Home')
  scrollTo.mockClear()
  await click('Next')
  expect(await heading('Home')).toBeTruthy()
  expect(scrollTo).not.toHaveBeenCalled()
  await act(async () => arrive())
  await heading('The next page')
  expect(scrollTo).toHaveBeenCalledWith(0, 0)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('a link to a section leads to it with the focus', async () => {
  open()
  await heading('Home')
  await click('What it costs')
  await heading('The next page')
  const section = document.getElementById('fees')
  expect(scrollIntoView.mock.contexts.at(-1)).toBe(section)
  await waitFor(() => expect(document.activeElement).toBe(section))
})

test('a link to a section that a page does not have leads to the page with the focus', async () => {
  open()
  await heading('Home')
  await click('What it cost')
  await heading('The next page')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')), { timeout: 2_000 })
})

test('a visit that begins with the address of a section begins there, also when the page is loaded late', async () => {
  const code = new Promise<{ Component: ComponentType }>(resolve => setTimeout(() => resolve({ Component: Next }), 50))
  open({ lazy: () => code }, '/next#fees')
  await heading('The next page')
  expect(scrollIntoView.mock.contexts.at(-1)).toBe(document.getElementById('fees'))
})

test('Back shows the page where it was left', async () => {
  const router = open()
  await heading('Home')
  Object.assign(window, { scrollY: 700 })
  await click('Next')
  await heading('The next page')
  scrollTo.mockClear()
  await act(() => router.navigate(-1))
  await heading('Home')
  expect(scrollTo).toHaveBeenCalledWith(0, 700)
  Object.assign(window, { scrollY: 0 })
})

test('a new search keeps the scroll position, and the page gets its text as it was written', async () => {
  open()
  await heading('Home')
  scrollTo.mockClear()
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  expect(await heading('Home 50% %26')).toBeTruthy()
  expect(scrollTo).not.toHaveBeenCalled()
})

test('a link to the page that is shown is no new step in the history', async () => {
  const router = open()
  await heading('Home')
  await click('Next')
  await heading('The next page')
  await click('Again')
  await act(() => router.navigate(-1))
  expect(await heading('Home')).toBeTruthy()
})
