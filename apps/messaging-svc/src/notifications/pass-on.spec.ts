import { notificationsToMail, notificationsToText } from '@holdfast/contracts/events'
import { newId } from '@holdfast/kernel/ids'
import { type Candidate, passOnEvents } from './pass-on.js'

const candidate = (change: Partial<Candidate> = {}): Candidate => ({
  ...{ id: newId(), userId: newId(), type: 'transaction', title: 'Payment held', message: 'It is held.' },
  ...{ dealTitle: 'Camera', transactionId: 7, disputeId: null, settings: null },
  ...change,
})
const askedFor = (candidates: readonly Candidate[], { type }: { readonly type: string }) =>
  passOnEvents(candidates, new Date())
    .filter(event => event.type === type)
    .map(({ payload }) => (payload as { notifications: Candidate[] }).notifications.map(({ id }) => id))

test('each notification is passed on once, at most a hundred in one event', () => {
  const all = Array.from({ length: 201 }, () => candidate())
  const parts = askedFor(all, notificationsToMail)
  expect(parts.map(({ length }) => length)).toEqual([100, 100, 1])
  expect(parts.flat()).toEqual(all.map(({ id }) => id))
})

test('only what is urgent is texted, and only to users who have asked for texts', () => {
  const settings = { smsNotifications: true }
  const urgent = (['security', 'payout', 'dispute'] as const).map(type => candidate({ type, settings }))
  const others = (['transaction', 'message', 'plan'] as const).map(type => candidate({ type, settings }))
  const texted = askedFor([...urgent, ...others, candidate({ type: 'dispute' })], notificationsToText)
  expect(texted).toEqual([urgent.map(({ id }) => id)])
})
