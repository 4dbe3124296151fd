import assert from 'node:assert/strict'
import { findMediator } from '../support/demo.js'
import { eventually } from '../support/eventually.js'
import { Person } from '../support/person.js'
import { png } from '../support/picture.js'
import { journey } from '../support/runner.js'
import { keepPicture, withBrowsers } from './visit.js'

const button = (page, name) => page.getByRole('button', { name, exact: true })
const REASON = 'The back is out of focus. Please take it again.'

/** The three pictures, by the label of their input. */
export const chooseDocuments = async page => {
  const colours = { 'Front of ID *': [180, 60, 60], 'Back of ID *': [60, 160, 60], 'Selfie Photo *': [60, 60, 180] }
  for (const [label, colour] of Object.entries(colours))
    await page
      .getByLabel(label, { exact: true })
      .setInputFiles({ name: `${label[0]}.png`, mimeType: 'image/png', buffer: png(300, 200, colour) })
}

/** A user's documents, from the camera to the decision. */
export const verificationJourneys = browser => [
  journey('a user sends documents, reads why they were rejected, sends new ones, and is verified', async () => {
    const [user, operator] = await Promise.all([Person.signUp('Vera'), findMediator()])
    const people = [{ person: user, width: 390 }, { person: operator }]
    await withBrowsers(browser, 'verification', people, async ({ page: sending }, { page: reviewing }) => {
      await send(sending)
      await keepPicture(sending, 'verification-under-review')
      await review(reviewing, user, 'Reject', REASON)
      await reviewing.getByText(`The documents of @${user.username} are rejected`).first().waitFor()
      await sending.reload()
      await sending.getByText(REASON).waitFor()
      await keepPicture(sending, 'verification-rejected')
      await eventually('the user is notified', async () => {
        const notifications = await user.expect(200, 'GET', '/api/notifications')
        return notifications.some(({ type, message }) => type === 'security' && message.includes(REASON))
      })
      await send(sending)
      await review(reviewing, user, 'Approve', 'The faces match')
      await reviewing.getByText(`@${user.username} is verified`).first().waitFor()
      await sending.reload()
      await sending.getByText('Verification Complete').waitFor()
      await keepPicture(sending, 'verification-complete')
    })
    const acts = await operator.expect(200, 'GET', `/api/admin/audit?subject=user:${user.id}`)
    assert.deepEqual(
      acts.map(({ act }) => act),
      ['user.verify', 'verification.look', 'user.unverify', 'verification.look'],
    )
  }),
]

async function send(page) {
  await page.goto('/verification')
  const submit = button(page, 'Submit for Verification')
  await submit.waitFor()
  assert.ok(await submit.isDisabled(), 'all three are needed')
  await chooseDocuments(page)
  await keepPicture(page, 'verification-chosen')
  await submit.click()
  await page.getByText('Verification Submitted').first().waitFor()
  await page.getByText(/The review takes 1-2 business days/).waitFor()
}

async function review(page, user, decision, reason) {
  await page.goto('/admin/verifications')
  await button(page, `@${user.username}`).click()
  const dialog = page.getByRole('dialog', { name: 'Verification' })
  await button(dialog, 'Show Documents').click()
  const selfie = dialog.getByRole('img', { name: 'Selfie' })
  await selfie.waitFor()
  assert.ok(await selfie.evaluate(image => image.decode().then(() => image.naturalWidth > 0)))
  await dialog.getByRole('radio', { name: decision }).check({ force: true })
  await dialog.getByLabel('Reason').fill(reason)
  await keepPicture(page, `verification-${decision.toLowerCase()}`)
  await button(dialog, decision).click()
}
