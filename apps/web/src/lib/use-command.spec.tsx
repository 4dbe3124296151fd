import { routes } from 'virtual:routes'
import { UNKNOWN_OUTCOME_MESSAGE } from '@holdfast/kernel/errors'
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, noAnswer, refusal } from '../../test/fake-server.js'
import { show } from '../../test/show.js'
import { serverWords } from './api.js'
import { useCommand } from './use-command.js'

const ACCEPT = 'POST /api/transactions/42/accept'
const refreshed = jest.fn(async () => undefined)
beforeEach(() => void refreshed.mockClear())

function Accept({ id = '42' }: { id?: string }) {
  const { give, busy, outcome } = useCommand(routes.acceptTransaction, {
    whether: 'the item was accepted',
    done: () => ['Item accepted'],
    refused: error => ['Error accepting item', serverWords(error, '')],
    refresh: refreshed,
  })
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void give({ params: { id } })}>
        {busy ? 'Accepting...' : 'Accept'}
      </button>
      <p>Ended: {outcome?.kind ?? 'not yet'}</p>
    </>
  )
}

const accept = () => userEvent.click(screen.getByRole('button', { name: 'Accept' }))

test('a command that is carried out says so and asks again for what it changed', async () => {
  fakeServer({ [ACCEPT]: () => ({ body: { id: 42, status: 'completed' } }) })
  show(<Accept />)
  await accept()
  expect(await screen.findByText('Item accepted')).toBeTruthy()
  expect(await screen.findByText('Ended: done')).toBeTruthy()
  expect(refreshed).toHaveBeenCalledTimes(1)
})

test('a command that is refused shows the words of the server, and asks again too', async () => {
  fakeServer({ [ACCEPT]: () => refusal('ESCROW_WRONG_STATE', 'The transaction was refunded.') })
  show(<Accept />)
  await accept()
  expect(await screen.findByText('The transaction was refunded.')).toBeTruthy()
  expect(await screen.findByText('Ended: refused')).toBeTruthy()
  expect(refreshed).toHaveBeenCalledTimes(1)
})

describe('whether it was carried out is unknown', () => {
  const unknown = {
    'without an answer': noAnswer,
    'when a service went away in the middle': () =>
      refusal('UNAVAILABLE', UNKNOWN_OUTCOME_MESSAGE, { outcome: 'unknown' }),
    'after a fault of the server': () => refusal('INTERNAL'),
    'when a proxy answers in place of the server': () => ({ status: 502, fromProxy: true as const }),
  }
  test.each(Object.entries(unknown))('%s', async (_, answer) => {
    fakeServer({ [ACCEPT]: answer })
    show(<Accept />)
    await accept()
    expect(await screen.findByText('We could not tell whether the item was accepted.')).toBeTruthy()
    expect(screen.getByText('Look again before you repeat it.')).toBeTruthy()
    expect(await screen.findByText('Ended: unknown')).toBeTruthy()
    expect(refreshed).toHaveBeenCalledTimes(1)
  })
})

test('the same input tried again has the same idempotency key; after a success it has a new one', async () => {
  const keys: (string | null)[] = []
  fakeServer({
    [ACCEPT]: ({ headers }) => {
      keys.push(headers.get('idempotency-key'))
      return keys.length === 1 ? refusal('INTERNAL') : { body: { id: 42, status: 'completed' } }
    },
  })
  show(<Accept />)
  for (const ended of ['unknown', 'done', 'done']) {
    await accept()
    expect(await screen.findByText(`Ended: ${ended}`)).toBeTruthy()
  }
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})

test('two clicks before the button is disabled give the command once', async () => {
  const { calls } = fakeServer({ [ACCEPT]: () => ({ body: { id: 42, status: 'completed' } }) })
  show(<Accept />)
  const button = screen.getByRole('button', { name: 'Accept' })
  fireEvent.click(button)
  fireEvent.click(button)
  expect(await screen.findByText('Ended: done')).toBeTruthy()
  expect(calls).toEqual([ACCEPT])
})

describe('a server that is too busy to begin', () => {
  const busy = (retryAfter: string) => ({
    ...refusal('UNAVAILABLE'),
    headers: { 'retry-after': retryAfter },
  })

  test('gets the command again after the time that it names, with the same key', async () => {
    const keys: (string | null)[] = []
    fakeServer({
      [ACCEPT]: ({ headers }) => {
        keys.push(headers.get('idempotency-key'))
        return keys.length < 3 ? busy('0') : { body: { id: 42, status: 'completed' } }
      },
    })
    show(<Accept />)
    await accept()
    expect(await screen.findByText('Item accepted')).toBeTruthy()
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
  })

  test.each([
    ['that stays so', busy('0'), 3],
    ['that asks for a long wait', busy('60'), 1],
    ['that has tried and failed', { ...refusal('PAYMENT_PROVIDER_UNAVAILABLE'), headers: { 'retry-after': '0' } }, 1],
  ])('%s refuses the command', async (_, answer, times) => {
    const { calls } = fakeServer({ [ACCEPT]: () => ({ ...answer, fromProxy: true }) })
    show(<Accept />)
    await accept()
    expect(await screen.findByText('Ended: refused')).toBeTruthy()
    expect(calls).toHaveLength(times)
  })
})
