import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../test/fake-server.js'
import { anaSignedIn, ben } from '../../test/people.js'
import { forgetAnswers, show } from '../../test/show.js'
import { Protected } from '../app/protected.js'
import { signOut } from './current-user.js'
import { useDraft } from './use-draft.js'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

/** What a page does when its command has succeeded. */
let sent = () => {}
/** What a page does that stays, with its form empty. */
let emptied = () => {}

function Note({ version = 1 }: { version?: number }) {
  const { value, set, forget } = useDraft('note', '', version)
  sent = forget
  emptied = () => set('')
  return <input aria-label="Note" value={value} onChange={event => set(event.target.value)} />
}

async function open(user = ben, version = 1) {
  fakeServer({ 'GET /api/auth/user': () => ({ body: user }), 'POST /api/auth/logout': () => ({ status: 204 }) })
  await act(forgetAnswers)
  show(
    <Protected>
      <Note version={version} />
    </Protected>,
  )
  return screen.findByLabelText<HTMLInputElement>('Note')
}

test('a draft is restored only for the person who typed it', async () => {
  await userEvent.type(await open(), 'half a sentence')
  cleanup()
  expect((await open(anaSignedIn)).value).toBe('')
  cleanup()
  expect((await open()).value).toBe('half a sentence')
})

test('a reload keeps it, too', async () => {
  await userEvent.type(await open(), 'half a sentence')
  window.dispatchEvent(new Event('pagehide'))
  expect(Object.values(sessionStorage)).toEqual(['"half a sentence"'])
})

test('a draft that was emptied is not kept', async () => {
  const note = await open()
  await userEvent.type(note, 'x')
  await userEvent.clear(note)
  cleanup()
  expect(sessionStorage).toHaveLength(0)
})

test('a draft that was sent is not kept, also when the answer comes after the page was left', async () => {
  await userEvent.type(await open(), 'a whole sentence')
  cleanup()
  sent()
  expect(sessionStorage).toHaveLength(0)
  await userEvent.type(await open(), 'a whole sentence')
  sent()
  cleanup()
  expect(sessionStorage).toHaveLength(0)
})

describe('when the person comes back before the answer', () => {
  /** Sends a draft, leaves the page, comes back, and answers what becomes of the draft with the answer to the first visit. */
  async function comeBack() {
    await userEvent.type(await open(), 'a whole sentence')
    const first = { sent, emptied }
    cleanup()
    const note = await open()
    expect(note.value).toBe('a whole sentence')
    return { note, first }
  }

  test('the answer reaches the form that is open now', async () => {
    const { note, first } = await comeBack()
    act(first.emptied)
    expect(note.value).toBe('')
  })

  test('what was sent is not kept a second time', async () => {
    const { first } = await comeBack()
    first.sent()
    cleanup()
    expect(sessionStorage).toHaveLength(0)
  })

  test('what was changed since is kept', async () => {
    const { note, first } = await comeBack()
    await userEvent.type(note, ' and more')
    act(first.emptied)
    first.sent()
    cleanup()
    expect(Object.values(sessionStorage)).toEqual(['"a whole sentence and more"'])
  })
})

test('signing out forgets the draft', async () => {
  await userEvent.type(await open(), 'half a sentence')
  await act(signOut)
  cleanup()
  expect((await open()).value).toBe('')
})

test('a draft of an older version of the form is not restored', async () => {
  await userEvent.type(await open(ben, 1), 'half a sentence')
  cleanup()
  expect((await open(ben, 2)).value).toBe('')
})
