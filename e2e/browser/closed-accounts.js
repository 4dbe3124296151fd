import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { Deal } from '../support/deal.js'
import { PASSWORD, Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { mailAbout } from '../support/sandbox.js'
import { keepPicture, withBrowsers } from './visit.js'

const button = (page, name) => page.getByRole('button', { name, exact: true })

/** What a user does who takes their data along and leaves. */
export const closedAccountJourneys = browser => [
  journey(
    'a user downloads their data in the profile, reads what stands in the way of leaving, and closes their account',
    async () => {
      const person = await Person.signUp('Lea')
      const deal = await Deal.open({}, { buyer: person })
      const refused = ['400: POST /api/account/exports']
      await withBrowsers(browser, 'close-account', [{ person, refused }], async ({ page }) => {
        await page.goto('/profile')
        await exportData(page, person)
        await page.getByRole('link', { name: 'Close Account' }).click()
        await page.getByText('Your account cannot be closed yet').first().waitFor()
        await keepPicture(page, 'close-account-in-the-way')
        await page.getByRole('link', { name: `Transaction #${deal.id}` }).click()
        await page.waitForURL(`**/transaction/${deal.id}`)
        await person.expect(200, 'DELETE', deal.path)
        await page.goto('/profile/close')
        await page.getByLabel('Your Password').fill(PASSWORD)
        await keepPicture(page, 'close-account')
        await button(page, 'Close My Account for Good').click()
        await page.getByText('Your account is being closed').first().waitFor()
        await page.waitForURL(url => url.pathname === '/')
        await mailAbout(person.email, 'Your account is closed')
      })
      await new Person().refused(401, 'INVALID_CREDENTIALS', 'POST', '/api/auth/signin', {
        body: { email: person.email, password: PASSWORD },
      })
    },
  ),
]

async function exportData(page, person) {
  const password = page.getByLabel('Your Password')
  await password.fill('not the password')
  await button(page, 'Export My Data').click()
  await page.getByText('This is not your password').first().waitFor()
  await password.fill(PASSWORD)
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export My Data').click()])
  assert.match(download.suggestedFilename(), /^holdfast-data-.*\.json$/)
  const data = JSON.parse(await readFile(await download.path(), 'utf8'))
  assert.equal(data.account[0].email, person.email)
  assert.equal(data.deals.length, 1)
}
