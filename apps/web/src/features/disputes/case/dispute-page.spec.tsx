import { routes } from 'virtual:routes'
import type { Dispute, DisputeCase } from '@holdfast/contracts/disputes'
import type { CurrentUser } from '@holdfast/contracts/users'
import { ERROR_MESSAGES } from '@holdfast/kernel/errors'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { clock, dispute, disputeCase, disputeFile, evidence, proposal, ruling } from '../../../../test/disputes.js'
import { fakeServer, refusal } from '../../../../test/fake-server.js'
import { uuid } from '../../../../test/ids.js'
import { later } from '../../../../test/later.js'
import { ana, anaSignedIn, ben, mediator } from '../../../../test/people.js'
import { show } from '../../../../test/show.js'
import { transaction } from '../../../../test/transactions.js'
import { Protected } from '../../../app/protected.js'
import { refresh } from '../../../lib/use-call.js'
import CasePage from './dispute-page.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  window.scrollTo = () => undefined
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  ruled = { ...dispute(), approvalId: null }
  cleanup()
  sessionStorage.clear()
})

const noor = { ...ana, id: uuid(4), firstName: 'Noor', lastName: 'Haddad' }
const VIEWERS: Record<DisputeCase['viewerRole'], CurrentUser> = { buyer: ben, seller: anaSignedIn, mediator }

/** What the server answers to a ruling. */
let ruled: Dispute & { approvalId: string | null } = { ...dispute(), approvalId: null }
/** Whether the server asks who the mediator is before a ruling. */
let needsProof = false
/** The case as the server has it. */
let shown: DisputeCase
/** The case changes, and the page gets it as by a live event. */
const changeTo = (change: Partial<DisputeCase>) => {
  shown = { ...shown, ...change }
  return act(() => refresh(routes.getDispute))
}

/**
 * Shows the case as its reader sees it, and notes what is sent: "POST /api/…" → body. The file of the deal and the answer to evidence come
 * after `before`.
 */
async function open(
  change: Partial<DisputeCase> = {},
  deal: Parameters<typeof transaction>[0] = {},
  settled: Parameters<typeof dispute>[0] = {},
  before = Promise.resolve(),
  settlement: { readonly status?: number; readonly body?: unknown } = { body: dispute(settled) },
) {
  shown = disputeCase(change)
  const { viewerRole } = shown
  const sent: { readonly name: string; readonly body: unknown; readonly key: string | null }[] = []
  const command = (
    name: string,
    answer: { readonly status?: number; readonly body?: unknown } = { body: dispute() },
  ) => ({
    [name]: async ({ body, headers }: { readonly body: unknown; readonly headers: Headers }) => {
      sent.push({ name, body, key: headers.get('idempotency-key') })
      if (needsProof && name.includes('/ruling'))
        return refusal('CONFIRMATION_REQUIRED', undefined, { methods: ['password'] })
      if (name === 'POST /api/admin/disputes/5/ruling') return { body: ruled }
      if (name === 'POST /api/disputes/5/evidence') await before
      return answer
    },
  })
  fakeServer({
    'GET /api/auth/user': () => ({ body: VIEWERS[viewerRole] }),
    'GET /api/disputes/5': () => ({ body: shown }),
    'GET /api/admin/disputes/5/file': async () => {
      await before
      return { body: disputeFile() }
    },
    'GET /api/transactions/1': () => ({ body: transaction({ id: 1, status: 'completed', ...deal }) }),
    ...command('POST /api/disputes/5/evidence', { status: 201, body: evidence() }),
    ...command('POST /api/disputes/5/settlement', settlement),
    ...command('POST /api/disputes/5/settlement/decline'),
    ...command('POST /api/disputes/5/appeal'),
    ...command('POST /api/disputes/5/waive'),
    ...command('POST /api/disputes/5/withdraw'),
    ...command('POST /api/disputes/5/return'),
    ...command('POST /api/disputes/5/return/confirm'),
    ...command('POST /api/disputes/5/return/contest'),
    ...command('PATCH /api/admin/disputes/5'),
    ...command('POST /api/admin/disputes/5/ruling'),
    ...command('POST /api/admin/disputes/5/ruling/decision'),
    'POST /api/auth/confirm': () => {
      needsProof = false
      return { status: 204 }
    },
  })
  show(
    <Protected>
      <CasePage />
    </Protected>,
    '/disputes/5',
    '/disputes/:id',
  )
  await screen.findByRole('heading', { level: 1, name: 'Oak chair' })
  return sent
}

const press = async (name: string | RegExp, inside: Pick<typeof screen, 'findByRole'> = screen) =>
  userEvent.click(await inside.findByRole('button', { name }))
/** The sentence that says what each gets. */
const isSplit = (words: string) => (_: string, element: Element | null) =>
  element?.tagName === 'P' && element.textContent === words
const findSplit = (words: string) => screen.findByText(isSplit(words))
/** Puts a text into a field at once, which is much faster than key by key. */
async function type(label: string | RegExp, text: string) {
  await userEvent.click(await screen.findByLabelText(label))
  await userEvent.paste(text)
}

test('a dispute that is not there, or of other people, is not found', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  show(
    <Protected>
      <CasePage />
    </Protected>,
    '/disputes/7',
    '/disputes/:id',
  )
  expect(await screen.findByText('Dispute Not Found')).toBeTruthy()
})

test('the head says what it is about, whose turn it is and what is held', async () => {
  await open()
  expect(screen.getByText('Other, filed by you on Nov 29, 2026')).toBeTruthy()
  expect(screen.getByText(/^Ana has until .* to answer$/)).toBeTruthy()
  expect(screen.getByText('Pending Review')).toBeTruthy()
  expect(screen.getByRole('img', { name: '$107.00 is held by Holdfast, frozen by a dispute' })).toBeTruthy()
})

test('only what the server allows is offered', async () => {
  await open({ actions: [] })
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
})

describe('evidence', () => {
  test('shows who added what, the pictures large with the keyboard, and the hashes', async () => {
    const second = evidence({ n: 2, role: 'seller', note: 'It was whole.', authorId: anaSignedIn.id })
    await open({ evidence: [evidence(), second] })
    expect(await screen.findByText('You (buyer)')).toBeTruthy()
    expect(screen.getByText('Ana (seller)')).toBeTruthy()
    expect(screen.getAllByText(/nothing can be changed or removed/)).toHaveLength(1)
    await press('Enlarge picture 1 of entry 1')
    expect(await screen.findByRole('dialog', { name: 'Picture 1 of 2' })).toBeTruthy()
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByRole('dialog', { name: 'Picture 2 of 2' })).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('is added with a note; what is missing is said', async () => {
    const sent = await open({ viewerRole: 'seller' })
    await press('Send Answer')
    expect(await screen.findByText('Say what this shows.')).toBeTruthy()
    await type('Your answer', 'It was whole when I sent it.')
    await press('Send Answer')
    expect(await screen.findByText('Evidence added')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { note: 'It was whole when I sent it.', images: [] } }])
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Your answer').value).toBe(''))
  })

  test('that was sent before one came back leaves the form when the answer comes', async () => {
    const { isAnswered, answer } = later()
    await open({ viewerRole: 'seller' }, {}, {}, isAnswered)
    await type('Your answer', 'It was whole when I sent it.')
    await press('Send Answer')
    cleanup()
    await open({ viewerRole: 'seller' })
    const field = await screen.findByLabelText<HTMLTextAreaElement>('Your answer')
    expect(field.value).toBe('It was whole when I sent it.')
    answer()
    await waitFor(() => expect(field.value).toBe(''))
  })
})

describe('a settlement', () => {
  test('shows what each would get before it is proposed', async () => {
    const sent = await open()
    await type('What you get back', '40')
    expect(await findSplit('You get $40.00 back, Ana gets $59.10, and the fees are $7.90.')).toBeTruthy()
    await press('Propose Settlement')
    expect(await screen.findByText('Settlement proposed')).toBeTruthy()
    expect(sent).toMatchObject([{ name: 'POST /api/disputes/5/settlement', body: { refundAmount: '40.00' } }])
  })

  test('is not proposed above the price', async () => {
    const sent = await open()
    await type('What you get back', '100.01')
    await press('Propose Settlement')
    expect(
      await screen.findByText(/^This is more than the price that is held\. .* from \$0\.00 to \$100\.00\.$/),
    ).toBeTruthy()
    expect(sent).toEqual([])
  })

  const offered = { proposals: [proposal()], actions: ['propose', 'declineProposal'] } satisfies Partial<DisputeCase>

  test('that the other side proposes is accepted at the same amount, after a question', async () => {
    const sent = await open(offered, {}, { status: 'closed' })
    await press('Accept')
    const question = within(await screen.findByRole('alertdialog', { name: 'Accept this settlement?' }))
    expect(question.getByText(isSplit('You get $30.00 back, Ana gets $68.95, and the fees are $8.05.'))).toBeTruthy()
    await userEvent.click(question.getByRole('button', { name: 'Accept and Settle' }))
    expect(await screen.findByText('Settled')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { refundAmount: '30.00', accepts: uuid(301) } }])
  })

  test('that changes under the open question is not accepted until the reader has looked at the new one', async () => {
    const sent = await open(offered, {}, { status: 'closed' })
    await press('Accept')
    const question = within(await screen.findByRole('alertdialog', { name: 'Accept this settlement?' }))
    await changeTo({
      proposals: [proposal({ state: 'superseded' }), proposal({ id: uuid(302), refundAmount: '1.00' })],
    })
    expect((await question.findByRole('alert')).textContent).toContain('This has changed since you opened it')
    expect(question.getByText(isSplit('You get $30.00 back, Ana gets $68.95, and the fees are $8.05.'))).toBeTruthy()
    await press('Accept and Settle', question)
    expect(sent).toEqual([])
    await press('Look Again', question)
    expect(question.getByText(isSplit('You get $1.00 back, Ana gets $97.51, and the fees are $8.49.'))).toBeTruthy()
    expect(question.queryByRole('alert')).toBeNull()
    await press('Accept and Settle', question)
    expect(sent).toMatchObject([{ body: { refundAmount: '1.00', accepts: uuid(302) } }])
  })

  test('that the server has replaced already is not called settled', async () => {
    await open(offered, {}, {}, undefined, refusal('PROPOSAL_CHANGED', undefined, { proposal: null }))
    await press('Accept')
    await press('Accept and Settle', within(await screen.findByRole('alertdialog')))
    expect(await screen.findByText('The dispute was not settled')).toBeTruthy()
    expect(screen.getByText(ERROR_MESSAGES.PROPOSAL_CHANGED)).toBeTruthy()
    expect(screen.queryByText('Settled')).toBeNull()
  })

  test('of the amount that the other side has just proposed, too, is called settled', async () => {
    await open({ actions: ['propose'] }, {}, { status: 'closed' })
    await type('What you get back', '40')
    await press('Propose Settlement')
    expect(await screen.findByText('Settled')).toBeTruthy()
  })

  test('the same amount, typed, accepts too, and so is asked about first', async () => {
    const sent = await open(offered)
    await type('What you get back', '30')
    await press('Accept and Settle')
    expect(await screen.findByRole('alertdialog', { name: 'Accept this settlement?' })).toBeTruthy()
    expect(sent).toEqual([])
  })

  test('that the other side proposes stands at the head of the page, once', async () => {
    await open(offered)
    const section = within(screen.getByRole('region', { name: 'Waits for your answer' }))
    await section.findByRole('heading', { name: 'Ana proposes that you get $30.00 of the price back.' })
    expect(screen.getByText('Your turn: answer Ana’s proposal')).toBeTruthy()
    await screen.findByRole('heading', { name: 'Settlement' })
    expect(
      screen.getAllByRole('heading', { name: 'Ana proposes that you get $30.00 of the price back.' }),
    ).toHaveLength(1)
  })

  test('is declined', async () => {
    const sent = await open(offered)
    await press('Decline')
    expect(await screen.findByText('Proposal declined')).toBeTruthy()
    const body = { proposalId: uuid(301) }
    expect(sent).toMatchObject([{ name: 'POST /api/disputes/5/settlement/decline', body }])
  })
})

describe('a proposal is worded for its reader', () => {
  const past = [
    proposal({ id: uuid(302), role: 'buyer', refundAmount: '40.00', state: 'declined' }),
    proposal({ id: uuid(303), refundAmount: '30.00', state: 'declined' }),
    proposal({ id: uuid(304), refundAmount: '0.00', state: 'declined' }),
  ]
  test.each([
    ['buyer', 'You proposed', 'Ana proposed that you get'],
    ['seller', 'Ben proposed', 'You proposed that Ben gets'],
    ['mediator', 'Ben proposed', 'Ana proposed that Ben gets'],
  ] as const)('who is the %s', async (viewerRole, buyerProposed, sellerProposedThat) => {
    await open({ viewerRole, proposals: past })
    expect(await screen.findByText(`${buyerProposed} to get $40.00 of the price back`)).toBeTruthy()
    expect(screen.getByText(`${sellerProposedThat} $30.00 of the price back`)).toBeTruthy()
    expect(screen.getByText(`${sellerProposedThat} nothing back`)).toBeTruthy()
  })

  test('also while it waits for the other side', async () => {
    await open({ proposals: [proposal({ role: 'buyer', refundAmount: '40.00' })], actions: ['propose'] })
    const heading = 'You propose to get $40.00 of the price back. Ana has not answered yet.'
    expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
  })

  test('while the buyer’s bank decides: nothing can be settled, nobody has to answer, and it can still be declined', async () => {
    const both = [
      proposal({ id: uuid(305), role: 'buyer', refundAmount: '40.00' }),
      proposal({ id: uuid(306), refundAmount: '30.00' }),
    ]
    await open({ turn: 'bank', clocks: [], proposals: both, actions: ['addEvidence', 'declineProposal'] })
    expect(await screen.findByText(/^Nothing can be settled until the bank has decided\./)).toBeTruthy()
    const own = 'You propose to get $40.00 of the price back. It waits until the bank has decided.'
    expect(screen.getByRole('heading', { name: own })).toBeTruthy()
    expect(screen.queryByText(/has not answered yet|leaves the hold at once/)).toBeNull()
    expect(screen.getByRole('button', { name: 'Decline' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  })
})

test('what went back to the buyer already stands at the buyer’s end of the money line', async () => {
  await open({
    settlement: { ...disputeCase().settlement!, held: '77.00', refunded: '20.00', chargedBack: '10.00' },
  })
  expect(
    screen.getByRole('img', { name: /\$30\.00 is back with the buyer \(You\).*\$77\.00 is held by Holdfast/ }),
  ).toBeTruthy()
  expect(await screen.findByText('Back with you')).toBeTruthy()
})

test('while nobody knows what is held, the money line shows no amount', async () => {
  await open({ settlement: null })
  expect(screen.getByRole('img', { name: 'It is not known right now where the money is.' })).toBeTruthy()
  expect(await screen.findByText('Not known right now')).toBeTruthy()
})

describe('a ruling', () => {
  const ruled = {
    status: 'resolved',
    turn: 'both',
    clocks: [clock('appeal', 'both')],
    rulings: [ruling()],
    actions: ['appeal', 'waiveAppeal'],
  } satisfies Partial<DisputeCase>

  test('says what it does to the money and why', async () => {
    await open(ruled)
    expect(screen.getByRole('heading', { name: 'Partial refund' })).toBeTruthy()
    expect(await findSplit('You get $40.00 back, Ana gets $59.10, and the fees are $7.90.')).toBeTruthy()
    expect(screen.getByText('The chair can be repaired. The repair costs $40.00.')).toBeTruthy()
  })

  test('is appealed against with a reason', async () => {
    const sent = await open(ruled)
    await press('Appeal')
    const dialog = within(await screen.findByRole('dialog', { name: 'Appeal against the ruling?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Appeal' }))
    expect(await dialog.findByText('Say why the ruling is wrong.')).toBeTruthy()
    await type('Why is the ruling wrong?', 'It cannot be repaired.')
    await userEvent.click(dialog.getByRole('button', { name: 'Appeal' }))
    expect(await screen.findByText('You have appealed')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { reason: 'It cannot be repaired.' } }])
  })

  test('is appealed against with what was typed before the dialog was closed by mistake', async () => {
    const sent = await open(ruled)
    await press('Appeal')
    await type('Why is the ruling wrong?', 'It cannot be repaired.')
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await press('Appeal')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Appeal' }))
    expect(await screen.findByText('You have appealed')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { reason: 'It cannot be repaired.' } }])
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  test('the right to appeal is given up after a question that says that both must', async () => {
    const sent = await open(ruled)
    await press('Waive My Right to Appeal')
    expect(await screen.findByText(/Both of you must do it/)).toBeTruthy()
    await press('Waive My Right')
    expect(await screen.findByText('You gave up your right to appeal')).toBeTruthy()
    expect(sent).toMatchObject([{ name: 'POST /api/disputes/5/waive' }])
  })
})

describe('a return', () => {
  const returning = {
    status: 'resolved',
    turn: 'buyer',
    clocks: [clock('return_shipping', 'buyer')],
    rulings: [ruling({ outcome: 'return_exchange', refundAmount: '100.00', isFinal: true })],
    return: { trackingNumber: null, carrier: null, shippedAt: null, deliveredAt: null, contest: null },
    actions: ['shipReturn'],
  } satisfies Partial<DisputeCase>
  const shipped = {
    ...returning,
    turn: 'seller',
    viewerRole: 'seller',
    clocks: [clock('return_check', 'seller')],
    return: {
      trackingNumber: '1Z777',
      carrier: 'UPS',
      shippedAt: '2026-12-10T10:00:00.000Z',
      deliveredAt: '2026-12-12T10:00:00.000Z',
      contest: null,
    },
    actions: ['confirmReturn', 'contestReturn'],
  } satisfies Partial<DisputeCase>

  test('is sent by the buyer with a tracking number', async () => {
    const sent = await open(returning)
    expect(screen.getByRole('link', { name: 'Send the Item Back' })).toBeTruthy()
    await type('Tracking Number', '1Z777')
    await press('I Have Sent It Back')
    expect(await screen.findByText('Return saved')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { trackingNumber: '1Z777', carrier: null } }])
  })

  test('is confirmed by the seller after a question about the full refund', async () => {
    const sent = await open(shipped)
    await press('The Item Is Back')
    const question = within(await screen.findByRole('alertdialog', { name: 'Is the item back with you?' }))
    expect(question.getByText('$107.00')).toBeTruthy()
    await userEvent.click(question.getByRole('button', { name: 'It Is Back, Refund in Full' }))
    expect(await screen.findByText('The item is back')).toBeTruthy()
    expect(sent).toMatchObject([{ name: 'POST /api/disputes/5/return/confirm' }])
  })

  test('is not contested while it travels, unless the seller says that something has arrived', async () => {
    const travelling = { ...shipped.return, deliveredAt: null }
    await open({ ...shipped, return: travelling, turn: 'carrier', clocks: [clock('return_arrival', 'carrier')] })
    expect(await screen.findByRole('link', { name: 'See the Return' })).toBeTruthy()
    const disclosure = (await screen.findByText('Something has arrived already')).closest('details')
    expect(disclosure?.open).toBe(false)
    expect(disclosure?.textContent).toContain('Contest')
  })

  test('is contested by the seller with a reason', async () => {
    const sent = await open(shipped)
    await press('Contest')
    await type('What is wrong with it?', 'An empty box came back.')
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Contest' }))
    expect(await screen.findByText('A mediator decides about the return')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { reason: 'An empty box came back.' } }])
  })
})

test('a ruling about which a mediator decides again is not shown as final, and a partial refund keeps its amount', async () => {
  const again = { status: 'investigating', turn: 'mediator', clocks: [clock('second_ruling', 'mediator')] } as const
  await open({ ...again, clocks: [...again.clocks], actions: [], rulings: [ruling({ isFinal: true })] })
  expect(
    await screen.findByText(
      'The buyer gets $40.00 of the price back, and the seller gets the rest, less the seller’s fee.',
    ),
  ).toBeTruthy()
  expect(screen.queryByText('Final')).toBeNull()
})

test('after the end, money that went back is on its way to the bank for some days', async () => {
  await open({ status: 'closed', turn: 'none', actions: [] }, { refund: 'returned' })
  expect(await screen.findByText(/^The payment provider has sent it .* It can take 5 to 10 days/)).toBeTruthy()
})

describe('a mediator', () => {
  const toRule = {
    viewerRole: 'mediator',
    status: 'investigating',
    turn: 'mediator',
    clocks: [clock('ruling', 'mediator')],
    actions: ['investigate', 'rule'],
  } satisfies Partial<DisputeCase>

  test('reads the terms, who accepted them, and the chat', async () => {
    await open(toRule)
    const acceptanceOf = (name: string) => screen.getByText(`Accepted by ${name}`).nextSibling?.textContent
    await screen.findByText('Accepted by Ben')
    expect(acceptanceOf('Ben')).toMatch(/^by paying, .* AM$/)
    expect(acceptanceOf('Ana')).toMatch(/^by signing, .* AMagain by shipping, .* AM$/)
    expect(screen.getByText('The leg was glued once.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Download Everything' }).getAttribute('href')).toBe(
      '/api/admin/disputes/5/file',
    )
  })

  test('gets the forms when the file above them is there, so that it does not push away the field in use', async () => {
    const { isAnswered, answer } = later()
    await open(toRule, {}, {}, isAnswered)
    await screen.findByText('Loading the transaction')
    // The code of the forms is there well within this time.
    await expect(screen.findByRole('textbox', {}, { timeout: 500 })).rejects.toThrow('Unable to find')
    answer()
    expect(await screen.findByRole('textbox', { name: 'Reasons' })).toBeTruthy()
  })

  test('takes the case with notes', async () => {
    const sent = await open({ viewerRole: 'mediator', actions: ['investigate'] })
    await type(/^Notes/, 'Please add a picture of the box.')
    await press('Take the Case')
    expect(await screen.findByText('Case taken')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { status: 'investigating', adminNotes: 'Please add a picture of the box.' } }])
  })

  test('cannot empty the notes of the own case, because the parties would still read them', async () => {
    const own = { takenBy: 'reader', mediatorId: noor.id, mediator: noor, adminNotes: 'Which leg?' } as const
    const sent = await open({ ...toRule, ...own })
    await userEvent.clear(await screen.findByRole('textbox', { name: 'Notes' }))
    await press('Save Notes')
    expect(await screen.findByText('Please write what the parties should read')).toBeTruthy()
    expect(sent).toEqual([])
  })

  test('reads that another mediator has taken the case, and takes it over only after a question', async () => {
    const sent = await open({ ...toRule, takenBy: 'other', mediatorId: noor.id, mediator: noor })
    expect(screen.getByText('Taken by Noor')).toBeTruthy()
    expect(screen.getByText(/^Noor has taken the case and rules by /)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save Notes' })).toBeNull()
    await press('Take the Case Over')
    expect(await screen.findByRole('alertdialog', { name: 'Take this case over from Noor?' })).toBeTruthy()
    expect(sent).toEqual([])
    await press('Take It Over')
    expect(await screen.findByText('Case taken over')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { status: 'investigating', takeOver: true } }])
  })

  test('a final decision says that the money moves at once', async () => {
    await open({ ...toRule, rulings: [ruling()], clocks: [clock('second_ruling', 'mediator')] })
    await userEvent.click(await screen.findByRole('radio', { name: /Full refund/ }))
    await type('Reasons', 'It is broken.')
    await press('Review the Final Decision')
    const question = within(await screen.findByRole('alertdialog', { name: 'Record this final decision?' }))
    expect(question.getByText(/the money moves at once/)).toBeTruthy()
  })

  test('is told before a ruling above the amount that a second admin must approve it, and afterwards that it waits', async () => {
    const settlement = { ...disputeCase().settlement!, needsSecondAdmin: true }
    await open({ ...toRule, settlement })
    await userEvent.click(await screen.findByRole('radio', { name: /Full refund/ }))
    await type('Reasons', 'It is broken.')
    await press('Review the Ruling')
    const question = within(await screen.findByRole('alertdialog', { name: 'Ask a second admin?' }))
    expect(question.getByText('A second admin must approve it')).toBeTruthy()
    expect(question.getByText(/^This follows when it is approved\. .* You can take it back before\.$/)).toBeTruthy()
    ruled = { ...dispute(), approvalId: uuid(501) }
    await press('Ask for Approval', question)
    expect(await screen.findByText('A second admin is asked')).toBeTruthy()
  })

  test('shows who they are before a ruling that is asked for too long after the sign-in, and then it is recorded once', async () => {
    const sent = await open(toRule)
    needsProof = true
    await userEvent.click(await screen.findByRole('radio', { name: /Full refund/ }))
    await type('Reasons', 'It is broken.')
    await press('Review the Ruling')
    await press('Record the Ruling', within(await screen.findByRole('alertdialog', { name: 'Record this ruling?' })))
    await userEvent.type(await screen.findByLabelText('Password'), 'right{Enter}')
    expect(await screen.findByText('Ruling recorded')).toBeTruthy()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    const [first, second] = sent
    expect(sent).toHaveLength(2)
    expect(second).toEqual(first)
  })

  const waiting: NonNullable<DisputeCase['rulingRequest']> = {
    ...{ id: uuid(501), outcome: 'full_refund', refundAmount: '100.00', resolution: 'It is broken.' },
    ...{ askedBy: 'other', askedAt: '2026-11-29T13:00:00.000Z', expiresAt: '2026-12-06T13:00:00.000Z' },
  }
  const asked = { ...toRule, actions: ['decideRuling'], takenBy: 'other', mediatorId: noor.id, mediator: noor } as const

  test('approves the ruling of another one, which it names', async () => {
    const sent = await open({ ...asked, actions: [...asked.actions], rulingRequest: waiting })
    expect(await screen.findByRole('heading', { name: 'A ruling waits for a second admin' })).toBeTruthy()
    expect(screen.getByText(/^Asked for by Noor/)).toBeTruthy()
    // A full refund gives back more than the price.
    for (const amount of ['$107.00', '$0.00']) expect(screen.getAllByText(amount).length).toBeGreaterThan(0)
    await type('Reason', 'I agree.')
    needsProof = true
    await press('Approve the Ruling')
    await userEvent.type(await screen.findByLabelText('Password'), 'right{Enter}')
    expect(await screen.findByText('Ruling approved')).toBeTruthy()
    const approval = { body: { requestId: uuid(501), decision: 'approve', reason: 'I agree.' } }
    expect(sent).toMatchObject([approval, approval])
  })

  test('takes the own request back, can neither approve it nor ask for another one', async () => {
    const rulingRequest = { ...waiting, askedBy: 'reader' } as const
    const settlement = { ...disputeCase().settlement!, needsSecondAdmin: true }
    const sent = await open({ ...asked, actions: ['rule', ...asked.actions], rulingRequest, settlement })
    await type('Reason', 'I look again.')
    expect(screen.queryByRole('button', { name: 'Approve the Ruling' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Review the Ruling' })).toBeNull()
    await press('Take It Back')
    expect(await screen.findByText('Taken back')).toBeTruthy()
    expect(sent).toMatchObject([{ body: { decision: 'reject' } }])
  })

  test('sees what each outcome does to the money, and sends the ruling once under one key', async () => {
    const sent = await open(toRule)
    const sellerFavor = await screen.findByRole('radio', {
      name: /Seller favor.*Ana gets \$98\.50.*fees are \$8\.50/,
    })
    await userEvent.click(sellerFavor)
    await userEvent.click(screen.getByRole('radio', { name: /Partial refund/ }))
    await press('Review the Ruling')
    expect(await screen.findByText('Enter an amount of more than $0.00 and less than $100.00.')).toBeTruthy()
    expect(screen.getByText('Give the reasons.')).toBeTruthy()
    await type('What Ben gets back', '40')
    await type('Reasons', 'It can be repaired.')
    await press('Review the Ruling')
    const question = within(await screen.findByRole('alertdialog', { name: 'Record this ruling?' }))
    expect(question.getByText(/can appeal within 7 days/)).toBeTruthy()
    for (const amount of ['$40.00', '$59.10', '$7.90']) expect(question.getByText(amount)).toBeTruthy()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Go Back'))
    expect(sent).toEqual([])
    await press('Record the Ruling', question)
    expect(await screen.findByText('Ruling recorded')).toBeTruthy()
    expect(sent).toMatchObject([
      {
        name: 'POST /api/admin/disputes/5/ruling',
        key: expect.any(String),
        body: { outcome: 'partial_refund', refundAmount: '40.00', resolution: 'It can be repaired.' },
      },
    ])
  })

  test('gets the proposed outcome with its reason', async () => {
    await open({ ...toRule, proposedOutcome: 'full_refund' })
    expect(await screen.findByText('Full refund is proposed')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Full refund/ }).checked).toBe(true)
  })
})

test('a party withdraws after a question', async () => {
  const sent = await open()
  await press('Withdraw')
  await press('Withdraw Dispute')
  expect(await screen.findByText('Dispute withdrawn')).toBeTruthy()
  expect(sent).toMatchObject([{ name: 'POST /api/disputes/5/withdraw' }])
})

test('a closed case says how it ended and where the money went', async () => {
  await open({
    status: 'closed',
    turn: 'none',
    clocks: [],
    actions: [],
    proposals: [proposal({ state: 'accepted' })],
    endedBy: 'settlement',
    resolution: 'Buyer and seller agreed on a settlement.',
  })
  expect(screen.getByText('Settled: $30.00 of the price that was held goes back to you')).toBeTruthy()
  expect(await screen.findByRole('img', { name: '$98.50 is with the seller (Ana)' })).toBeTruthy()
})
