import { stubGlobals } from '../../test/stub-globals.js'
import { reloadOnce } from './reload-once.js'

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  jest.restoreAllMocks()
})

/** Answers how often the page was loaded again. */
async function ask(answer: () => Promise<Response>, times = 1): Promise<number> {
  jest.spyOn(globalThis, 'fetch').mockImplementation(answer)
  let reloads = 0
  for (let time = 0; time < times; time++) await reloadOnce(new AbortController().signal, () => void reloads++)
  return reloads
}

const page = async () => new Response('<!doctype html>')

test('the page is loaded again when the server answers, but never again and again', async () => {
  expect(await ask(page, 3)).toBe(1)
})

test('it is loaded again after a minute', async () => {
  await ask(page)
  const later = Date.now() + 61_000
  jest.spyOn(Date, 'now').mockReturnValue(later)
  expect(await ask(page)).toBe(1)
})

test('it stays when the server cannot be reached or answers with an error', async () => {
  expect(await ask(() => Promise.reject(new TypeError('Failed to fetch')))).toBe(0)
  expect(await ask(async () => new Response('Bad gateway', { status: 502 }))).toBe(0)
})

test('it stays in a browser that keeps nothing', async () => {
  const unstub = stubGlobals({ sessionStorage: { getItem: () => null, setItem: () => undefined } })
  expect(await ask(page)).toBe(0)
  unstub()
})

test('it stays when the user has gone on to another page before the server answers', async () => {
  const left = new AbortController()
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    left.abort()
    return page()
  })
  const reload = jest.fn()
  await reloadOnce(left.signal, reload)
  expect(reload).not.toHaveBeenCalled()
})
