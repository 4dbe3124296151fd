import type { KeptAct, StuckCase } from '@holdfast/contracts/admin'
import type { Approval } from '@holdfast/contracts/admin-escrow'
import type { DeadLetter, EventForOperator } from '@holdfast/contracts/admin-events'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { AT, adminUser, giveReason, list, openConsole, press, ruth } from '../../../test/console.js'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { uuid } from '../../../test/ids.js'
import { ben } from '../../../test/people.js'
import { showRoutes } from '../../../test/show.js'
import { consoleRoutes } from '../../app/router.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  window.scrollTo = () => undefined
})

const approval = (change: Partial<Approval> = {}): Approval => ({
  id: uuid(21),
  kind: 'refund.force',
  subject: 'transaction:7',
  amount: '907.00',
  currency: 'USD',
  input: { transactionId: 7 },
  reason: 'Both parties wrote to us',
  askedBy: uuid(2),
  askedAt: AT,
  expiresAt: AT,
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  ...change,
})
const letter = (change: Partial<DeadLetter> = {}): DeadLetter => ({
  id: 4,
  group: 'messaging-svc',
  topic: 'escrow.transaction',
  key: '7',
  type: 'escrow.transaction.paid.v1',
  eventId: uuid(31),
  requestId: null,
  attempts: 5,
  error: 'no such text',
  at: AT,
  occurredAt: AT,
  replayRequestedAt: null,
  replayedAt: null,
  ...change,
})
const stuckCase: StuckCase = {
  kind: 'clock_overdue',
  id: '7',
  transactionId: 7,
  since: AT,
  text: 'The clock ship_by is due and was not ended.',
  runbook: 'money.md#deadlines-pass-and-nothing-happens',
}
const providerEvent: EventForOperator = {
  id: 'evt_1',
  why: 'unfitting',
  about: 'charge.dispute.closed',
  transactionId: null,
  at: AT,
}
const act: KeptAct = {
  id: uuid(41),
  at: AT,
  actorId: uuid(2),
  commandLineUser: null,
  act: 'refund.force',
  subject: 'transaction:7',
  before: { status: 'disputed', held: '107.00' },
  after: { status: 'cancelled', held: '0.00' },
  reason: 'They agreed',
}

test('the first page counts the documents and enquiries that wait, too', async () => {
  openConsole('/admin', {
    'GET /api/admin/approvals': list([]),
    'GET /api/admin/refunds': list([]),
    'GET /api/admin/stuck': list([]),
    'GET /api/admin/dead-letters': list([]),
    'GET /api/admin/payouts': list([]),
    'GET /api/admin/disputes': list([]),
    'GET /api/admin/ledger/trial-balance': list([]),
    'GET /api/admin/verifications': () => refusal('INTERNAL'),
    'GET /api/admin/enquiries': list([]),
    'GET /api/admin/provider-events/open': list([]),
  })
  const documents = await screen.findByRole('link', { name: /^Identity documents that wait for a review/ })
  expect(documents.getAttribute('href')).toBe('/admin/verifications')
  expect(await within(documents).findByText('Could not be loaded')).toBeTruthy()
  const enquiries = screen.getByRole('link', { name: /^Enquiries without an answer/ })
  expect(enquiries.getAttribute('href')).toBe('/admin/enquiries')
  expect(await within(enquiries).findByText('0')).toBeTruthy()
})

test('everybody who is no admin sees the page for unknown addresses, and nothing is asked for', async () => {
  const { calls } = fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  showRoutes([consoleRoutes], '/admin')
  expect(await screen.findByText('404')).toBeTruthy()
  expect(calls).toEqual(['GET /api/auth/user'])
})

test('the overview counts what needs an operator, and says whether the books are right', async () => {
  const accounts = [{ kind: 'hold' as const, debits: '0.00', credits: '107.00', balance: '107.00' }]
  openConsole('/admin', {
    'GET /api/admin/approvals': list([approval()]),
    'GET /api/admin/refunds': list([]),
    'GET /api/admin/stuck': list([stuckCase, { ...stuckCase, id: '8' }]),
    'GET /api/admin/dead-letters': list([]),
    'GET /api/admin/provider-events/open': list([providerEvent]),
    'GET /api/admin/ledger/trial-balance': list([{ currency: 'USD', total: '0.00', heldByDeals: '106.00', accounts }]),
  })
  expect(await screen.findByText('They differ: an incident')).toBeTruthy()
  const counted = (name: RegExp) => screen.getByRole('link', { name }).textContent
  expect(counted(/^Requests that wait/)).toMatch(/1$/)
  expect(counted(/^What does not go on/)).toMatch(/2$/)
  expect(counted(/^Refunds that failed/)).toMatch(/0$/)
  expect(counted(/^Events of the provider/)).toMatch(/1$/)
})

describe('the keyboard', () => {
  const letters = [letter({ id: 5, error: 'second' }), letter({ id: 4 })]
  const rows = () => screen.findAllByRole('button', { name: /escrow\.transaction\.paid/ })

  test('walks the rows with j and k, opens one with Enter, and does nothing while one types', async () => {
    openConsole('/admin/dead-letters', { 'GET /api/admin/dead-letters': list(letters) })
    const [first, second] = await rows()
    await userEvent.keyboard('j')
    await waitFor(() => expect(document.activeElement).toBe(first))
    await userEvent.keyboard('{ArrowDown}')
    await waitFor(() => expect(document.activeElement).toBe(second))
    await userEvent.keyboard('j')
    await waitFor(() => expect(document.activeElement).toBe(second))
    await userEvent.keyboard('k{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Dead letter 5' })).toBeTruthy()
    await giveReason('j?')
    expect((screen.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('j?')
  })

  test('walks the rows also after a choice above them was made with the mouse', async () => {
    openConsole('/admin/approvals', { 'GET /api/admin/approvals': list([approval()]) })
    await userEvent.click(await screen.findByRole('radio', { name: 'All' }))
    await screen.findByRole('button', { name: /^Refund a deal in full/ })
    await userEvent.keyboard('j{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Refund a deal in full' })).toBeTruthy()
  })

  test('goes to another page with g and its key, and lists all keys with a question mark', async () => {
    openConsole('/admin/dead-letters', {
      'GET /api/admin/dead-letters': list(letters),
      'GET /api/admin/audit': list([]),
    })
    await rows()
    await userEvent.keyboard('?')
    expect(await screen.findByRole('dialog', { name: 'Keys of the console' })).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('gt')
    expect(await screen.findByRole('heading', { level: 1, name: 'Audit' })).toBeTruthy()
  })
})

describe('a request of another admin', () => {
  test('shows what is asked for and why, and is approved with a reason', async () => {
    const sent = openConsole('/admin/approvals', {
      'GET /api/admin/approvals': list([approval()]),
      [`POST /api/admin/approvals/${uuid(21)}`]: () => ({ body: approval({ state: 'approved', decidedBy: ruth.id }) }),
    })
    await press(/^Refund a deal in full/)
    const dialog = within(await screen.findByRole('dialog'))
    expect(await dialog.findByText('Asked for, with the reason “Both parties wrote to us”')).toBeTruthy()
    expect(dialog.getByText('Done at once: refund a deal in full, $907.00.')).toBeTruthy()
    await press('Approve and do it')
    expect(await dialog.findByText('Say why: it is kept with the act.')).toBeTruthy()
    await giveReason('I have read the chat')
    await press('Approve and do it')
    expect(await screen.findByText('Approved and done')).toBeTruthy()
    expect(sent).toEqual([{ decision: 'approve', reason: 'I have read the chat' }])
  })

  test('to adjust the ledger shows both balances before and after', async () => {
    openConsole('/admin/approvals', {
      'GET /api/admin/approvals': list([
        approval({
          ...{ kind: 'ledger.adjust', subject: 'account:provider_costs', amount: '600.00' },
          input: { debit: 'provider_costs', credit: 'revenue', amount: '600', currency: 'USD' },
        }),
      ]),
      'GET /api/admin/ledger/adjustments/preview': ({ query }) => ({
        body: {
          debit: { account: query.get('debit'), before: '20.00', after: '-580.00' },
          credit: { account: query.get('credit'), before: '1.00', after: '601.00' },
          ...{ currency: 'USD', needsApproval: true },
        },
      }),
    })
    await press(/^Adjust the ledger/)
    const balances = within(await screen.findByRole('table', { name: 'Balances before and after' }))
    expect(balances.getByRole('row', { name: 'provider_costs $20.00 -$580.00' })).toBeTruthy()
    expect(balances.getByRole('row', { name: 'revenue $1.00 $601.00' })).toBeTruthy()
  })

  test('cannot be approved by an admin who was appointed some days ago, who reads from when on they can', async () => {
    const approvesFrom = new Date(Date.now() + 86_400_000).toISOString()
    openConsole('/admin/approvals', {
      'GET /api/admin/approvals': list([approval()]),
      'GET /api/admin/users': list([adminUser({ id: ruth.id, role: 'admin', approvesFrom })]),
    })
    await press(/^Refund a deal in full/)
    expect(
      await screen.findByText(/^You do not count as one of the two admins yet: .*7 days.* You can approve from/),
    ).toBeTruthy()
    expect(screen.queryByRole('radio', { name: 'Approve' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Reject' })).toBeTruthy()
  })

  test('can only be taken back when it is one’s own', async () => {
    openConsole('/admin/approvals', { 'GET /api/admin/approvals': list([approval({ askedBy: ruth.id })]) })
    await press(/^Refund a deal in full/)
    expect(await screen.findByText(/You asked for this yourself/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Take it back' })).toBeTruthy()
    expect(screen.queryByRole('radio', { name: 'Approve' })).toBeNull()
  })
})

describe('a user', () => {
  const listed = adminUser({ id: uuid(9) })
  const user = { ...listed, liveSessions: [] }
  const suspension = `POST /api/admin/users/${uuid(9)}/suspension`

  test('is suspended with a reason, and the console says what it does', async () => {
    const sent = openConsole(`/admin/users?user=${uuid(9)}`, {
      'GET /api/admin/users': list([listed]),
      [`GET /api/admin/users/${uuid(9)}`]: () => ({ body: user }),
      [suspension]: () => ({ body: { ...user, suspendedAt: AT } }),
    })
    await userEvent.click(await screen.findByRole('radio', { name: 'Suspension' }))
    expect(screen.getByText(/^Signed out everywhere at once/)).toBeTruthy()
    await giveReason('Sold what they did not have')
    await press('Suspend them')
    expect(await screen.findByText('They are suspended')).toBeTruthy()
    expect(sent).toEqual([{ isSuspended: true, reason: 'Sold what they did not have' }])
  })

  test('who is suspended is marked in the list, and is let in again', async () => {
    const suspended = { ...user, suspendedAt: AT }
    openConsole(`/admin/users?user=${uuid(9)}`, {
      'GET /api/admin/users': list([{ ...listed, suspendedAt: AT }]),
      [`GET /api/admin/users/${uuid(9)}`]: () => ({ body: suspended }),
      [suspension]: () => ({ body: user }),
    })
    await userEvent.click(await screen.findByRole('radio', { name: 'Suspension' }))
    expect(screen.getByText('Suspended')).toBeTruthy()
    await giveReason('It was a mistake')
    await press('End the suspension')
    expect(await screen.findByText('The suspension has ended')).toBeTruthy()
  })

  test('who is an admin cannot be suspended', async () => {
    const admin = { ...user, role: 'admin' as const }
    openConsole(`/admin/users?user=${uuid(9)}`, {
      'GET /api/admin/users': list([{ ...listed, role: 'admin' }]),
      [`GET /api/admin/users/${uuid(9)}`]: () => ({ body: admin }),
    })
    expect(await screen.findByRole('radio', { name: 'Verification' })).toBeTruthy()
    expect(screen.queryByRole('radio', { name: 'Suspension' })).toBeNull()
  })
})

describe('a refund', () => {
  const refund = {
    ...{ id: uuid(51), transactionId: 7, amount: '107.00', currency: 'USD', status: 'failed' },
    ...{ lastError: 'expired_or_canceled_card', updatedAt: AT },
  }

  test('that failed is sent again with a reason', async () => {
    const sent = openConsole('/admin/refunds', {
      'GET /api/admin/refunds': list([refund]),
      [`POST /api/admin/refunds/${uuid(51)}/send-again`]: () => ({ body: { id: uuid(51), status: 'due' } }),
    })
    await press('Transaction 7')
    expect(await screen.findByText('Failed: The card is expired or closed. We owe the buyer $107.00.')).toBeTruthy()
    await giveReason('New card')
    await press('Send again')
    expect(await screen.findByText('It is sent again')).toBeTruthy()
    expect(sent).toEqual([{ reason: 'New card' }])
  })

  test('of a deal shows what it holds before the button', async () => {
    const account = {
      account: 'hold:7',
      kind: 'hold',
      currency: 'USD',
      debits: '0.00',
      credits: '107.00',
      balance: '107.00',
    }
    openConsole('/admin/refunds', {
      'GET /api/admin/refunds': list([]),
      'GET /api/admin/ledger/accounts': list([account]),
    })
    await press('Refund a deal')
    await userEvent.type(await screen.findByLabelText('Transaction'), '7')
    expect(await screen.findByText('Transaction 7 holds $107.00.')).toBeTruthy()
    expect(screen.getByText(/^\$107\.00 goes back to the buyer/)).toBeTruthy()
  })

  test('of a deal above the limit waits for a second admin, and one that is refused says why', async () => {
    const answers = [
      { body: { state: 'waiting', approvalId: uuid(21) } },
      refusal('ESCROW_WRONG_STATE', 'This is not possible in the present state of the transaction.'),
    ]
    const sent = openConsole('/admin/refunds', {
      'GET /api/admin/refunds': list([]),
      'POST /api/admin/transactions/7/refund': () => answers.shift()!,
    })
    for (const words of ['Waits for a second admin', 'Not done']) {
      await press('Refund a deal')
      await userEvent.type(await screen.findByLabelText('Transaction'), '7')
      await giveReason('They agreed')
      await press('Refund in full')
      expect(await screen.findByText('Say what the buyer and the seller read.')).toBeTruthy()
      await userEvent.type(screen.getByLabelText('Reason for the parties'), 'You agreed on it.')
      await press('Refund in full')
      expect(await screen.findByText(words)).toBeTruthy()
      await userEvent.keyboard('{Escape}')
    }
    expect(sent[0]).toEqual({ reason: 'They agreed', reasonForParties: 'You agreed on it.' })
  })
})

test('the seller of a payout that came back is paid out again', async () => {
  const payout = {
    ...{ id: uuid(71), sellerId: uuid(2), amount: '98.50', currency: 'USD', status: 'returned', attempts: 1 },
    ...{ lastError: null, failure: 'The bank account is closed.', updatedAt: AT },
  }
  const sent = openConsole('/admin/payouts', {
    'GET /api/admin/payouts': list([payout]),
    [`POST /api/admin/payouts/${uuid(71)}/send-again`]: () => ({ body: { state: 'done', approvalId: null } }),
  })
  await press('Ana Ruiz')
  expect(await screen.findByText(/^The bank account is closed\. The amount is on/)).toBeTruthy()
  await giveReason('A new bank account')
  await press('Pay out again')
  expect(await screen.findByText('Done')).toBeTruthy()
  expect(sent).toEqual([{ reason: 'A new bank account' }])
})

test('a dead letter shows the first line of its error in the list, and all lines with the number of attempts when it is open', async () => {
  const error = 'PoisonEventError: it does not match\n    at parsed (events-server.ts:151)'
  openConsole('/admin/dead-letters', { 'GET /api/admin/dead-letters': list([letter({ attempts: 1, error })]) })
  expect(await screen.findByText('PoisonEventError: it does not match')).toBeTruthy()
  await press(/escrow\.transaction\.paid/)
  expect((await screen.findByRole('region', { name: 'Error' })).textContent).toBe(error)
  expect(screen.getByText('messaging-svc failed on it once.')).toBeTruthy()
})

describe('an event of the provider', () => {
  const returned: EventForOperator = {
    ...{ id: uuid(91), why: 'chargeback_returned', about: 'du_1', transactionId: 7, at: AT },
  }

  test('says why it needs an operator and what it is about, and names its runbook and its deal', async () => {
    openConsole('/admin/provider-events', { 'GET /api/admin/provider-events/open': list([providerEvent, returned]) })
    const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
    const unfitting = await row(/^Does not fit what is stored/)
    for (const words of ['charge.dispute.closed', 'evt_1', 'docs/runbooks/provider-events.md'])
      expect(unfitting.getByText(words)).toBeTruthy()
    expect(unfitting.queryByRole('link')).toBeNull()
    const ofDeal = await row(/^A bank gave back what an ended deal had lost/)
    for (const words of ['du_1', 'docs/runbooks/chargebacks.md#a-bank-decides-a-second-time'])
      expect(ofDeal.getByText(words)).toBeTruthy()
    expect(ofDeal.getByRole('link', { name: 'transaction 7' }).getAttribute('href')).toBe('/admin/ledger?q=7')
  })

  test('is marked as done with a reason, and is not listed any more', async () => {
    let events = [providerEvent]
    const sent = openConsole('/admin/provider-events', {
      'GET /api/admin/provider-events/open': () => ({ body: events }),
      'POST /api/admin/provider-events/evt_1/done': () => {
        events = []
        return { body: { id: 'evt_1' } }
      },
    })
    await press('Mark as done')
    await screen.findByLabelText('Reason')
    await press('Mark as done')
    expect(await screen.findByText('Say why: it is kept with the act.')).toBeTruthy()
    await giveReason('Posted an adjustment')
    await press('Mark as done')
    expect(await screen.findByText('Marked as done')).toBeTruthy()
    expect(await screen.findByText('No event needs an operator.')).toBeTruthy()
    expect(sent).toEqual([{ reason: 'Posted an adjustment' }])
  })

  test('stands in a list that says how many there are in all, and goes on', async () => {
    openConsole('/admin/provider-events', {
      'GET /api/admin/provider-events/open': ({ query }) =>
        query.has('after')
          ? { body: [returned] }
          : { body: [providerEvent], headers: { link: '</api/admin/provider-events/open?after=evt_1>; rel="next"' } },
      'GET /api/admin/provider-events/open/count': () => ({ body: { count: 431 } }),
    })
    expect(await screen.findByText('1 of 431 shown')).toBeTruthy()
    await press('Show more')
    expect(await screen.findByText('2 of 431 shown')).toBeTruthy()
    expect(screen.getByText('du_1')).toBeTruthy()
  })

  test('is marked as done with all shown of its type, and no other', async () => {
    const other = { ...providerEvent, id: 'evt_3', about: 'refund.created' }
    let events = [providerEvent, returned, { ...providerEvent, id: 'evt_2' }, other]
    const sent = openConsole('/admin/provider-events', {
      'GET /api/admin/provider-events/open': () => ({ body: events }),
      'POST /api/admin/provider-events/done': () => {
        events = [returned, other]
        return { body: { marked: 2 } }
      },
    })
    await userEvent.click((await screen.findAllByRole('button', { name: 'Mark as done' }))[0]!)
    await userEvent.click(await screen.findByRole('radio', { name: 'All of its type' }))
    expect(screen.getByText('All 2 shown events of its type leave this list. This books no money.')).toBeTruthy()
    await giveReason('Not ours')
    await press('Mark as done')
    expect(await screen.findByText('Marked as done: 2')).toBeTruthy()
    expect(sent).toEqual([{ why: 'unfitting', ids: ['evt_1', 'evt_2'], reason: 'Not ours' }])
    expect(screen.getAllByRole('button', { name: 'Mark as done' })).toHaveLength(2)
  })

  test('that another admin has marked before is refused, and the list is asked for again', async () => {
    let events = [providerEvent]
    openConsole('/admin/provider-events', {
      'GET /api/admin/provider-events/open': () => ({ body: events }),
      'POST /api/admin/provider-events/evt_1/done': () => {
        events = []
        return refusal('NOT_FOUND')
      },
    })
    await press('Mark as done')
    await giveReason('Posted an adjustment')
    await press('Mark as done')
    expect(await screen.findByText('Not done')).toBeTruthy()
    expect(await screen.findByText('No event needs an operator.')).toBeTruthy()
  })
})

test('the list says by itself that a replay which was asked for is done', async () => {
  let letters = [letter({ replayRequestedAt: AT })]
  openConsole('/admin/dead-letters', { 'GET /api/admin/dead-letters': () => ({ body: letters }) })
  expect(await screen.findByText('Asked for')).toBeTruthy()
  letters = []
  expect(await screen.findByText('Every event was handled.')).toBeTruthy()
})

test('a dead letter is replayed with all of its type', async () => {
  const sent = openConsole('/admin/dead-letters', {
    'GET /api/admin/dead-letters': list([letter()]),
    'POST /api/admin/dead-letters/replay': () => ({ body: { requested: 2 } }),
  })
  await press(/escrow\.transaction\.paid/)
  await userEvent.click(await screen.findByRole('radio', { name: 'All of its type' }))
  await giveReason('Mended')
  await press('Replay')
  expect(await screen.findByText('Replays asked for: 2')).toBeTruthy()
  expect(sent).toEqual([{ type: 'escrow.transaction.paid.v1', reason: 'Mended' }])
})

test('the statement of an account shows the balance after each line', async () => {
  const line = {
    ...{ position: 2, entryId: uuid(61), entry: 'release', transactionId: 7, other: 'hold:7', side: 'credit' },
    ...{ amount: '98.50', balance: '110.84', currency: 'USD', at: AT },
  }
  openConsole(`/admin/ledger?account=revenue`, { 'GET /api/admin/ledger/accounts/revenue': list([line]) })
  expect(await screen.findByText('$110.84')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'hold:7' }).getAttribute('href')).toBe('/admin/ledger?account=hold%3A7')
})

test('a user is made an admin with a reason, and one’s own role has no form', async () => {
  const details = { ...adminUser(), liveSessions: [] }
  const sent = openConsole('/admin/users', {
    'GET /api/admin/users': list([adminUser(), adminUser({ id: ruth.id, firstName: 'Ruth', role: 'admin' })]),
    [`GET /api/admin/users/${uuid(2)}`]: () => ({ body: details }),
    [`GET /api/admin/users/${ruth.id}`]: () => ({ body: { ...details, id: ruth.id, role: 'admin' } }),
    [`POST /api/admin/users/${uuid(2)}/role`]: () => ({ body: { ...details, role: 'admin' } }),
  })
  expect((await screen.findAllByText('Verified')).length).toBeGreaterThan(0)
  await press('Ana Ruiz')
  await giveReason('She joins us')
  await press('Make them an admin')
  expect(await screen.findByText('They are now an admin')).toBeTruthy()
  expect(sent).toEqual([{ role: 'admin', reason: 'She joins us' }])
  await press('Close')
  await press('Ruth Ruiz')
  expect(await screen.findByRole('button', { name: 'End all sessions' })).toBeTruthy()
  expect(screen.queryByRole('radio', { name: 'Role' })).toBeNull()
})

test('a seller is verified and unverified by the keyboard', async () => {
  const details = { ...adminUser({ verificationStatus: 'pending' }), liveSessions: [] }
  const sent = openConsole('/admin/users', {
    'GET /api/admin/users': list([adminUser()]),
    [`GET /api/admin/users/${uuid(2)}`]: () => ({ body: details }),
    [`POST /api/admin/verifications/${uuid(2)}/decision`]: () => {
      details.verificationStatus = details.verificationStatus === 'approved' ? 'rejected' : 'approved'
      return { body: details }
    },
  })
  await screen.findByRole('button', { name: 'Ana Ruiz' })
  await userEvent.keyboard('j{Enter}')
  const choose = async () => {
    ;(await screen.findByRole('radio', { name: 'Verification' })).focus()
    await userEvent.keyboard(' ')
  }
  await choose()
  await giveReason('I have seen the passport')
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('They are verified')).toBeTruthy()
  await giveReason('The passport was stolen')
  await press('Take the verification back')
  expect(await screen.findByText('The verification is taken back')).toBeTruthy()
  expect(sent).toEqual([
    { decision: 'approved', reason: 'I have seen the passport' },
    { decision: 'rejected', reason: 'The passport was stolen' },
  ])
})

test('documents that wait and cannot be shown are rejected at the row of their user', async () => {
  const details = { ...adminUser({ verificationStatus: 'submitted' }), liveSessions: [] }
  const sent = openConsole('/admin/users', {
    'GET /api/admin/users': list([adminUser({ verificationStatus: 'submitted' })]),
    [`GET /api/admin/users/${uuid(2)}`]: () => ({ body: details }),
    [`POST /api/admin/verifications/${uuid(2)}/decision`]: () => {
      details.verificationStatus = 'rejected'
      return { body: details }
    },
  })
  await press('Ana Ruiz')
  await userEvent.click(await screen.findByRole('radio', { name: 'Verification' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'Reject' }))
  await giveReason('Please send them again')
  await press('Reject')
  expect(await screen.findByText('The documents of @ana are rejected')).toBeTruthy()
  expect(sent).toEqual([{ decision: 'rejected', reason: 'Please send them again' }])
  expect(await screen.findByRole('button', { name: 'Verify them' })).toBeTruthy()
})

test('people stand by name and other ids by their end, with labels for the facts and the full id as a title', async () => {
  const account = `seller_payable:${uuid(2)}`
  const adjusted: KeptAct = {
    ...act,
    act: 'ledger.adjust',
    subject: `account:${account}`,
    before: { [account]: '0.00' },
    after: { [account]: '12.34', askedBy: uuid(2), approvalId: uuid(21), askedBecause: 'A fee was forgotten' },
  }
  openConsole('/admin/audit', { 'GET /api/admin/audit': list([adjusted]) })
  const link = await screen.findByRole('link', { name: 'seller_payable:Ana Ruiz' })
  expect(link.title).toBe(account)
  await press('Ledger adjusted')
  const dialog = within(await screen.findByRole('dialog'))
  for (const words of ['Asked by', 'Request', 'Reason of the request', 'A fee was forgotten'])
    expect(dialog.getByText(words)).toBeTruthy()
  expect(dialog.getByTitle(uuid(21)).textContent).toBe(`approval …${uuid(21).slice(-8)}`)
  expect(document.body.textContent).not.toContain(uuid(2))
})

test('the audit log shows what was before and after', async () => {
  openConsole('/admin/audit', { 'GET /api/admin/audit': list([act]) })
  await press('Deal refunded')
  const dialog = within(await screen.findByRole('dialog'))
  for (const words of ['They agreed', 'disputed', '107.00', 'cancelled', '0.00'])
    expect(dialog.getByText(words)).toBeTruthy()
})

test('an act about a dispute leads to its case, also when the queue shows it no more', async () => {
  const ruled: KeptAct = { ...act, act: 'dispute.rule', subject: 'dispute:105', before: null, after: null }
  openConsole('/admin/audit', { 'GET /api/admin/audit': list([ruled]) })
  const link = await screen.findByRole('link', { name: 'dispute 105' })
  expect(link.getAttribute('href')).toBe('/disputes/105')
})

test('the audit log says in words why an event of the provider needed an operator', async () => {
  const marked: KeptAct = { ...act, act: 'provider_event.done', subject: 'provider_event:evt_1' }
  const before = { why: 'unfitting', about: 'charge.dispute.closed' }
  openConsole('/admin/audit', { 'GET /api/admin/audit': list([{ ...marked, before, after: { done: true } }]) })
  await press('Provider event done')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Does not fit what is stored')).toBeTruthy()
})

test('a stuck case names its runbook, and leads to the ledger of its deal', async () => {
  openConsole('/admin/stuck', {
    'GET /api/admin/stuck': list([stuckCase]),
    'GET /api/admin/ledger/accounts': list([]),
  })
  expect(await screen.findByText('docs/runbooks/money.md#deadlines-pass-and-nothing-happens')).toBeTruthy()
  await press('Clock not ended')
  expect(await screen.findByRole('heading', { level: 1, name: 'Ledger' })).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find accounts' }).value).toBe('7')
})
