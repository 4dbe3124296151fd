import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { SWRConfig } from 'swr'
import { fakeServer, noAnswer, refusal } from '../../test/fake-server.js'
import { anaSignedIn, ben } from '../../test/people.js'
import { forgetAnswers } from '../../test/show.js'
import { stubGlobals } from '../../test/stub-globals.js'
import SignOutNotice from '../app/shell/sign-out-notice.js'
import { isSigningOut, refreshCurrentUser, signOut, useSession } from './current-user.js'
import { draftName } from './drafts.js'
import { endSignOut, findSignOut } from './pending-sign-out.js'

const NAME = 'holdfast:sign-out'

function App() {
  const { user } = useSession()
  return (
    <>
      <SignOutNotice />
      <p>{user ? `Account of ${user.firstName}` : user === null ? 'Visitor' : 'Unknown'}</p>
    </>
  )
}

/** A browser with a cookie: whose session it opens, and whether the server can end it now. */
let session: typeof ben | null
let isDown: boolean
let logOuts: number

beforeEach(async () => {
  session = ben
  isDown = false
  logOuts = 0
  endSignOut()
  await forgetAnswers()
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  fakeServer({
    'GET /api/auth/user': () => (session ? { body: session } : refusal('UNAUTHENTICATED')),
    'POST /api/auth/logout': () => {
      logOuts++
      if (isDown) return noAnswer()
      session = null
      return { status: 204 }
    },
  })
  render(
    <SWRConfig value={{ dedupingInterval: 0, focusThrottleInterval: 0, errorRetryCount: 0, isPaused: isSigningOut }}>
      <App />
    </SWRConfig>,
  )
  await act(refreshCurrentUser)
  await screen.findByText('Account of Ben')
})

afterEach(() => {
  endSignOut()
  jest.restoreAllMocks()
})

const focus = () => act(async () => void window.dispatchEvent(new Event('focus')))
/** What the browser tells this tab after another tab has changed the shared storage. */
const inAnotherTab = (change: () => void) =>
  act(async () => {
    change()
    window.dispatchEvent(new StorageEvent('storage', { key: NAME, newValue: localStorage.getItem(NAME) }))
  })
const NOT_YET = 'This browser is not signed out yet'

test('a sign-out that the server confirms leaves nothing behind', async () => {
  await act(signOut)
  expect(await screen.findByText('Visitor')).toBeTruthy()
  expect(screen.queryByText(NOT_YET)).toBeNull()
  expect(findSignOut()).toBeNull()
})

test('nobody’s account is shown while the first attempt is under way', async () => {
  isDown = true
  let answer: (() => void) | undefined
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'POST /api/auth/logout': async () => {
      await new Promise<void>(resolve => {
        answer = resolve
      })
      return { status: 204 }
    },
  })
  const leaving = act(signOut)
  expect(await screen.findByText('Visitor')).toBeTruthy()
  await waitFor(() => expect(answer).toBeDefined())
  answer?.()
  await leaving
})

test('after a failed sign-out the page says so, and neither the focus nor a reload shows the account again', async () => {
  isDown = true
  sessionStorage.setItem(draftName(ben.id, 'chat:7', 1), '"secret"')
  await act(signOut)
  expect(await screen.findByText(NOT_YET)).toBeTruthy()
  expect(sessionStorage.getItem(draftName(ben.id, 'chat:7', 1))).toBeNull()
  await focus()
  await act(refreshCurrentUser)
  expect(screen.getByText('Visitor')).toBeTruthy()
  expect(screen.getByText(NOT_YET)).toBeTruthy()
  // What a page that is loaded later finds.
  expect(localStorage.getItem(NAME)).toContain(ben.sessionId)
})

test('a browser that is not signed out gets no push messages any more', async () => {
  const unsubscribe = jest.fn<() => Promise<boolean>>(async () => true)
  const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } }
  const unstub = stubGlobals({ PushManager: class {}, Notification: { permission: 'granted' } })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistration: async () => registration },
  })
  isDown = true
  await act(signOut)
  await waitFor(() => expect(unsubscribe).toHaveBeenCalledTimes(1))
  unstub()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

test.each(['focus', 'online', 'timer', 'button'])('the session is ended later, by the %s', async by => {
  isDown = true
  await act(signOut)
  await screen.findByText(NOT_YET)
  isDown = false
  if (by === 'button') await userEvent.click(screen.getByRole('button', { name: 'Try Again Now' }))
  else if (by !== 'timer') await act(async () => void window.dispatchEvent(new Event(by)))
  expect(await screen.findByText('You are signed out', {}, { timeout: 5_000 })).toBeTruthy()
  expect(session).toBeNull()
  expect(findSignOut()).toBeNull()
  expect(screen.getByText('Visitor')).toBeTruthy()
})

test('a session that has ended otherwise counts as signed out', async () => {
  isDown = true
  await act(signOut)
  session = null
  await focus()
  expect(await screen.findByText('You are signed out')).toBeTruthy()
})

test('who signs in meanwhile is shown, and their session is not ended', async () => {
  isDown = true
  await act(signOut)
  await screen.findByText(NOT_YET)
  const before = logOuts
  isDown = false
  session = anaSignedIn
  await act(refreshCurrentUser)
  expect(await screen.findByText('Account of Ana')).toBeTruthy()
  await focus()
  expect(logOuts).toBe(before)
  expect(screen.queryByText(NOT_YET)).toBeNull()
  expect(session).toBe(anaSignedIn)
})

test('the same person who signs in again has another session, which stays', async () => {
  isDown = true
  await act(signOut)
  isDown = false
  session = { ...ben, sessionId: anaSignedIn.sessionId }
  await act(refreshCurrentUser)
  expect(await screen.findByText('Account of Ben')).toBeTruthy()
})

test('another tab follows: it shows no account from the start, and ends nothing that it should not', async () => {
  isDown = true
  await inAnotherTab(() => {
    localStorage.setItem('holdfast:signed-out-at', '2026-11-28T12:00:00.000Z')
    localStorage.setItem(NAME, JSON.stringify({ sessionId: ben.sessionId, hasFailed: true }))
  })
  expect(await screen.findByText('Visitor')).toBeTruthy()
  expect(await screen.findByText(NOT_YET)).toBeTruthy()
  isDown = false
  session = null
  await inAnotherTab(() => localStorage.removeItem(NAME))
  expect(screen.queryByText(NOT_YET)).toBeNull()
  expect(screen.getByText('Visitor')).toBeTruthy()
})

test.each(['fails', 'succeeds'])(
  'who signs in and out in another tab is signed out, also when the attempt of this tab %s late',
  async how => {
    let answer: (() => void) | undefined
    const ended: unknown[] = []
    fakeServer({
      'GET /api/auth/user': () => (session ? { body: session } : refusal('UNAUTHENTICATED')),
      'POST /api/auth/logout': async () => {
        if (!answer) {
          await new Promise<void>(resolve => {
            answer = resolve
          })
          return how === 'fails' ? noAnswer() : { status: 204 }
        }
        ended.push(session?.sessionId)
        session = null
        return { status: 204 }
      },
    })
    const leaving = act(signOut)
    await waitFor(() => expect(answer).toBeDefined())
    // In the other tab Ana signs in and out. That tab is closed before the server has confirmed it.
    session = anaSignedIn
    await inAnotherTab(() => localStorage.removeItem(NAME))
    await inAnotherTab(() => {
      localStorage.setItem('holdfast:signed-out-at', '2026-11-28T13:00:00.000Z')
      localStorage.setItem(NAME, JSON.stringify({ sessionId: anaSignedIn.sessionId, hasFailed: false }))
    })
    answer?.()
    await leaving
    await focus()
    await waitFor(() => expect(ended).toEqual([anaSignedIn.sessionId]), { timeout: 5_000 })
    expect(findSignOut()).toBeNull()
    expect(screen.queryByText('Account of Ana')).toBeNull()
  },
)

test('a page that the browser kept for its Back button shows no account after a sign-out', async () => {
  session = null
  localStorage.setItem('holdfast:signed-out-at', '2026-11-28T12:30:00.000Z')
  await act(async () => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  expect(await screen.findByText('Visitor')).toBeTruthy()
})
