import assert from 'node:assert/strict'
import { awayFromEndOfStep, codeOf } from '../support/authenticator.js'
import { PASSWORD, Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { mailAbout } from '../support/sandbox.js'
import { reachByTab } from './keyboard.js'
import { keepPicture, see, withBrowsers } from './visit.js'

/** Another browser of the same person: its cookies were removed. */
const SIGNED_OUT = /^401: GET /
const ASKED = '403: POST /api/auth/signin'
const button = (page, name) => page.getByRole('button', { name, exact: true })
const dialog = (page, name) => page.getByRole('dialog', { name })

/** How people protect their account with a second factor, and sign in with it. */
export const secondFactorJourneys = browser => [
  journey(
    'a person sets up an authenticator app by keyboard alone, and signs in with its code and with a recovery code',
    async () => {
      const person = await Person.signUp('Otto')
      let kept = { secret: '', recoveryCode: '', usedCode: '' }
      const refusedSetUp = '400: POST /api/auth/second-factor/authenticator/confirm'
      await withBrowsers(
        browser,
        'authenticator',
        [{ person, width: 390, refused: [refusedSetUp] }],
        async ({ page }) => {
          await page.goto('/profile?tab=security')
          await see(page, 'Your password alone opens your account')
          await keepPicture(page, 'security-nothing')
          await reachByTab(page, 'button', 'Set Up App')
          await page.keyboard.press('Enter')
          const setup = dialog(page, 'Set up an authenticator app')
          const secret = (await setup.locator('code').textContent()).replaceAll(' ', '')
          await keepPicture(page, 'security-app')
          await reachByTab(page, 'textbox', '2. Enter the code that the app shows')
          await page.keyboard.type('000')
          await page.keyboard.press('Enter')
          await setup.getByText('Enter the six digits that the app shows').waitFor()
          await page.keyboard.press('ControlOrMeta+a')
          await awayFromEndOfStep()
          const usedCode = codeOf(secret, -1)
          await page.keyboard.type(usedCode)
          await page.keyboard.press('Enter')
          const codes = dialog(page, 'Keep your recovery codes')
          await codes.getByRole('listitem').last().waitFor()
          const [recoveryCode] = await codes.getByRole('listitem').allTextContents()
          assert.equal(await codes.getByRole('listitem').count(), 10)
          await keepPicture(page, 'security-codes')
          await reachByTab(page, 'button', 'I Have Kept Them')
          await page.keyboard.press('Enter')
          await see(page, 'Two steps protect your account')
          await see(page, '10 codes are left.')
          await keepPicture(page, 'security-protected')
          await mailAbout(person.email, 'An authenticator app was added')
          kept = { secret, recoveryCode, usedCode }
        },
      )
      // The session that the first factor replaced has ended.
      await person.refused(401, 'UNAUTHENTICATED', 'GET', '/api/auth/user')
      const wrong = '400: POST /api/auth/signin/second-step'
      await withBrowsers(browser, 'second-step', [{ refused: [ASKED, wrong] }], async ({ page }) => {
        await firstStep(page, person)
        await keepPicture(page, 'second-step')
        const field = page.getByLabel('Code of your authenticator app')
        assert.equal(await field.getAttribute('autocomplete'), 'one-time-code')
        assert.ok(await field.evaluate(element => element === document.activeElement), 'the field has the focus')
        await page.keyboard.type(kept.usedCode)
        await page.keyboard.press('Enter')
        await see(page, 'This code is not right, or was used already.')
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type(codeOf(kept.secret, 0))
        await page.keyboard.press('Enter')
        await page.waitForURL('**/dashboard')
      })
      await withBrowsers(browser, 'recovery-code', [{ refused: [ASKED], width: 390 }], async ({ page }) => {
        await firstStep(page, person)
        await reachByTab(page, 'button', 'Use a Recovery Code')
        await page.keyboard.press('Enter')
        await page.getByLabel('Recovery code').fill(kept.recoveryCode.toLowerCase())
        await keepPicture(page, 'second-step-recovery')
        await page.keyboard.press('Enter')
        await page.waitForURL('**/dashboard')
        await page.goto('/profile?tab=security')
        await see(page, '9 codes are left.')
      })
    },
  ),

  journey('a person adds a passkey, and signs in with it alone, and after the password', async () => {
    const person = await Person.signUp('Petra')
    await withBrowsers(
      browser,
      'passkey',
      [{ person, refused: [ASKED], mayRefuse: [SIGNED_OUT] }],
      async ({ context, page }) => {
        const key = await virtualAuthenticator(context, page)
        await page.goto('/profile?tab=security')
        await button(page, 'Add a Passkey').click()
        const naming = dialog(page, 'Add a passkey')
        await naming.getByLabel('Name').fill('My laptop')
        await keepPicture(page, 'security-passkey')
        await naming.getByLabel('Name').press('Enter')
        await button(dialog(page, 'Keep your recovery codes'), 'I Have Kept Them').click()
        await page.getByRole('list', { name: 'Your passkeys' }).getByText('My laptop').waitFor()
        await keepPicture(page, 'security-passkeys')
        assert.equal(await key.count(), 1)
        await context.clearCookies()
        await page.goto('/auth')
        await keepPicture(page, 'sign-in')
        await button(page, 'Sign in with a passkey').click()
        await page.waitForURL('**/dashboard')
        await context.clearCookies()
        await firstStep(page, person)
        await button(page, 'Use a Passkey').click()
        await page.waitForURL('**/dashboard')
        await page.goto('/profile?tab=security')
        await button(page, 'Remove My laptop').click()
        await page.getByRole('alertdialog').getByText('It is your last one.').waitFor()
        await button(page, 'Remove Passkey').click()
        await see(page, 'Your password alone opens your account')
        await mailAbout(person.email, 'A passkey was removed')
      },
    )
    await Person.signIn(person.email, PASSWORD)
  }),
]

/** Signs in with the password; the page then asks for the second factor. */
async function firstStep(page, person) {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
}

/** A device of the browser that keeps passkeys and finds its owner's finger. */
async function virtualAuthenticator(context, page) {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
    ...{ isUserVerified: true, automaticPresenceSimulation: true },
  }
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    count: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
