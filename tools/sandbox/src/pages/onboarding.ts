import { TEST_BANK_NAME, TEST_BANKS, TEST_ROUTING_NUMBER } from '../connect/test-banks.js'
import { type Html, html } from './html.js'
import { layout } from './layout.js'

/** The provider's form in which a seller names the bank account into which they are paid. */
export function onboardingPage(wrong: string | null): Html {
  return layout(
    'Add your bank account',
    html`<main class="challenge onboarding">
<p class="eyebrow">The payment provider, played by the sandbox</p>
<h1>Where shall we pay you?</h1>
<p>Holdfast pays what you have earned into this bank account. No real money moves.</p>
<form method="post" class="fields">
${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
<label for="holder">Account holder</label>
<input id="holder" name="holder" autocomplete="name" required maxlength="60">
<label for="routing">Routing number</label>
<input id="routing" name="routing" inputmode="numeric" value="${TEST_ROUTING_NUMBER}" required>
<label for="number">Account number</label>
<input id="number" name="number" inputmode="numeric" value="${TEST_BANKS.pays?.number}" required>
<button class="primary" id="save">Save ${TEST_BANK_NAME} account</button>
</form>
<h2>Test account numbers</h2>
<dl>
${Object.values(TEST_BANKS).map(bank => html`<div><dt>${bank.number}</dt><dd>${bank.does}</dd></div>`)}
</dl>
</main>`,
    false,
  )
}

/** Shown when a link was used, has ended, or does not exist. */
export function onboardingGone(): Html {
  return layout(
    'This link has ended',
    html`<main class="challenge">
<p class="eyebrow">The payment provider, played by the sandbox</p>
<h1>This link has ended</h1>
<p>It was used already or is too old. Go back to your profile and ask for a new one.</p>
</main>`,
    false,
  )
}
