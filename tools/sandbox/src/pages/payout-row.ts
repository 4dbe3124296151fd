import type { PayoutRecord } from '../connect/records.js'
import { display } from '../payments/amounts.js'
import { type Html, html } from './html.js'
import { time } from './layout.js'

const STATES: Readonly<Record<PayoutRecord['status'], string>> = {
  in_transit: 'On its way to the bank',
  paid: 'The bank has it',
  failed: 'Came back',
}

/** A payout, and what its bank can do with it. */
export function payoutRow(payout: PayoutRecord, now: number): Html {
  const amount = display(payout.amount, payout.currency)
  const bank = payout.bank ? `${payout.bank.bankName} ending in ${payout.bank.last4}` : 'Holdfast’s own bank'
  const tone = payout.status === 'failed' ? 'trouble' : payout.status === 'paid' ? 'held' : 'waits'
  return html`<li id="${payout.id}" class="row ${tone}" tabindex="-1">
<p class="money">${amount} <span class="unit">${payout.currency.toUpperCase()}</span></p>
<div class="what">
<p class="state">${STATES[payout.status]}${payout.failureCode && `: ${payout.failureCode}`}</p>
<p class="detail">Payout · ${bank} · ${time(payout.createdAt, now)}</p>
<p class="id">${payout.id}</p>
</div>
<div class="moves">
${payout.status === 'in_transit' && move(payout, 'settle', 'Arrives', `Arrives: the payout of ${amount}`, 'primary')}
${payout.status !== 'failed' && move(payout, 'fail', 'Comes back', `Comes back: the payout of ${amount}`, '')}
</div>
</li>`
}

function move({ id }: PayoutRecord, step: 'settle' | 'fail', label: string, about: string, tone: string): Html {
  return html`<form method="post" action="/sandbox/payouts/${id}/${step}">
<button class="${tone}" id="${step}-${id}" aria-label="${about}" data-done="${about}">${label}</button></form>`
}
