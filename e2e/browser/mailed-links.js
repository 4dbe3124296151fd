import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { confirmAddress, linkIn, mailAbout, mailsTo, SANDBOX_MAILS } from '../support/sandbox.js'
import { withBrowsers } from './visit.js'

const NEW_PASSWORD = 'a lantern in the window'
const button = (page, name) => page.getByRole('button', { name, exact: true })

/** What people do with the links that are mailed to them. */
export const mailedLinkJourneys = browser => [
  journey('a new user confirms their address with the mail that they open in the local mailbox', async () => {
    const person = await Person.signUp('Mailo')
    await mailAbout(person.email, 'Confirm your e-mail address')
    await withBrowsers(browser, 'confirm', [{ person }], async ({ context, page }) => {
      await page.goto('/dashboard')
      await page.getByText('Please confirm your e-mail address').waitFor()
      const mailbox = await context.newPage()
      await mailbox.goto(`${SANDBOX_MAILS}?to=${encodeURIComponent(person.email)}`)
      await mailbox.getByRole('link', { name: 'Confirm your e-mail address' }).first().click()
      const opened = context.waitForEvent('page')
      await mailbox.frameLocator('iframe').getByRole('link', { name: 'Confirm this address' }).click()
      const confirming = await opened
      await button(confirming, 'Confirm This Address').click()
      await confirming.getByText('Your address is confirmed').waitFor()
      await confirming.getByRole('link', { name: 'Go to Dashboard' }).click()
      await confirming.getByRole('tab', { name: 'Overview' }).waitFor()
      if (await confirming.getByText('Please confirm your e-mail address').count())
        throw new Error('a confirmed address is asked for again')
    })
  }),

  journey(
    'a person who forgot the password sets a new one with the mailed link, once, and is signed out elsewhere',
    async () => {
      const person = await Person.signUp('Frieda')
      const dead = '410: POST /api/auth/reset/confirm'
      await withBrowsers(browser, 'reset', [{ refused: [dead] }], async ({ page }) => {
        await page.goto('/auth')
        await page.getByRole('link', { name: 'Forgot your password?' }).click()
        // The sign-in page has a field of the same name.
        await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
        await page.getByLabel('Email').fill(person.email)
        await button(page, 'Mail Me a Link').click()
        await page.getByText('Look into your mailbox').waitFor()
        const link = linkIn(await mailAbout(person.email, 'Set a new password'))
        await page.goto(link)
        await page.getByLabel('New password').fill('short')
        await button(page, 'Set Password').click()
        await page.getByText('Use at least', { exact: false }).first().waitFor()
        await page.getByLabel('New password').fill(NEW_PASSWORD)
        await button(page, 'Set Password').click()
        await page.getByText('Password changed').first().waitFor()
        await page.waitForURL('**/auth')
        await person.refused(401, 'UNAUTHENTICATED', 'GET', '/api/auth/user')
        await Person.signIn(person.email, NEW_PASSWORD)
        await mailAbout(person.email, 'Your password was changed')
        await page.goto('about:blank')
        await page.goto(link)
        await page.getByLabel('New password').fill('yet another long sentence')
        await button(page, 'Set Password').click()
        await page.getByText('This link has expired or was used already.').waitFor()
      })
    },
  ),

  journey(
    'a step of a deal is mailed to a confirmed address, with its page, until mails are switched off',
    async () => {
      const [seller, quiet] = await Promise.all([Person.signUp('Selma'), Person.signUp('Quinn')])
      for (const person of [seller, quiet]) await confirmAddress(person)
      const settings = await quiet.expect(200, 'GET', '/api/notifications/settings')
      await quiet.expect(200, 'PUT', '/api/notifications/settings', {
        body: { ...settings, emailNotifications: false },
      })
      const deal = await Deal.at('paid', { title: 'A brass lantern' }, { seller, buyer: quiet })
      const { text } = await mailAbout(seller.email, 'Payment held: “A brass lantern”')
      assert.match(text, new RegExp(`/transaction/${deal.id}\\b`))
      // Both were notified of the payment at the same time, so that of the buyer is decided, too.
      await quiet.expect(200, 'PUT', '/api/notifications/settings', { body: settings })
      await deal.ship()
      // A mail about the payment would have been sent before this one.
      await mailAbout(quiet.email, 'Item shipped: “A brass lantern”')
      const subjects = (await mailsTo(quiet.email)).map(({ subject }) => subject)
      assert.deepEqual(subjects, ['Item shipped: “A brass lantern”', 'Confirm your e-mail address'])
    },
  ),
]
