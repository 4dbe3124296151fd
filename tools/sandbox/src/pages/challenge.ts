import type { Context } from '../context.js'
import { display } from '../payments/amounts.js'
import type { IntentRecord, SetupIntentRecord } from '../payments/records.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'

/** The page of the payer's bank (3-D Secure), or of their wallet, where the payment is approved or refused. */
export function challengePage(context: Context, intent: IntentRecord): Html {
  const method = intent.methodId === null ? undefined : context.state.methods.get(intent.methodId)
  const isWallet = method?.type === 'crypto'
  const amount = display(intent.amount, intent.currency)
  return layout(
    isWallet ? 'Approve in your wallet' : 'Confirm your payment',
    html`<main class="challenge">
<p class="eyebrow">${isWallet ? 'Your wallet' : 'Your bank'}, played by the sandbox</p>
<h1>${isWallet ? 'Send this payment?' : 'Is this you?'}</h1>
<p class="amount">${amount}</p>
<p>${intent.description ?? 'A payment on Holdfast'}. No real money moves.</p>
<form method="post" class="moves">
<button class="primary" name="outcome" value="pass" id="pass">${isWallet ? 'Send' : 'Yes, confirm'} ${amount}</button>
<button name="outcome" value="fail" id="fail">${isWallet ? 'Do not send' : 'No, refuse'}</button>
</form>
</main>`,
    false,
  )
}

/** The page of the holder's bank, where saving a card is approved or refused. */
export function setupChallengePage(): Html {
  return layout(
    'Confirm your card',
    html`<main class="challenge">
<p class="eyebrow">Your bank, played by the sandbox</p>
<h1>Is this you?</h1>
<p>Holdfast wants to save your card for later payments. Nothing is charged now.</p>
<form method="post" class="moves">
<button class="primary" name="outcome" value="pass" id="pass">Yes, confirm</button>
<button name="outcome" value="fail" id="fail">No, refuse</button>
</form>
</main>`,
    false,
  )
}

/** Shown after the payer has acted, when the confirmation named no page to return to. */
export function challengeDone(intent: Pick<IntentRecord, 'lastError'> | Pick<SetupIntentRecord, 'lastError'>): Html {
  const refused = intent.lastError !== null
  return layout(
    refused ? 'Payment refused' : 'Payment confirmed',
    html`<main class="challenge">
<p class="eyebrow">Your bank, played by the sandbox</p>
<h1>${refused ? 'The payment was refused' : 'The payment was confirmed'}</h1>
<p>${refused ? 'Nothing was charged. ' : ''}You can close this page and go back to the shop.</p>
</main>`,
    false,
  )
}

/** Shown when the check is over, was replaced by a newer attempt, or does not exist. */
export function challengeGone(): Html {
  return layout(
    'Nothing to confirm',
    html`<main class="challenge">
<p class="eyebrow">Your bank, played by the sandbox</p>
<h1>There is nothing to confirm here</h1>
<p>The payment has been confirmed or refused already, or a newer attempt has taken its place. Go back to the shop to see
where it stands.</p>
</main>`,
    false,
  )
}
