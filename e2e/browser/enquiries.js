import assert from 'node:assert/strict'
import { findMediator } from '../support/demo.js'
import { eventually } from '../support/eventually.js'
import { matchOf } from '../support/match.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { confirmAddress, mailsTo } from '../support/sandbox.js'
import { keepPicture, withBrowsers } from './visit.js'

const button = (page, name) => page.getByRole('button', { name, exact: true })

/** What people write to us, and what operators answer. */
export const enquiryJourneys = browser => [
  journey('a user writes to support, an operator answers on the console, and the answer comes by mail', async () => {
    const [writer, operator] = await Promise.all([Person.signUp('Wilma'), findMediator()])
    // Only the owner of an address is mailed what was typed.
    await confirmAddress(writer)
    const people = [{ person: writer, width: 390 }, { person: operator }]
    await withBrowsers(browser, 'ticket', people, async ({ page: writing }, { page: answering }) => {
      await writing.goto('/support?tab=contact')
      await eventually('a user need not type who they are', async () => {
        return (await writing.getByLabel('Email').inputValue()) === writer.email
      })
      await writing.getByLabel('Category').selectOption('Billing')
      await writing.getByLabel('Subject').fill('The processing fee')
      await writing.getByLabel('Message').fill('Why is it five dollars?')
      await button(writing, 'Send Message').click()
      const done = writing.getByText(/^Your message has arrived as no\. \d+\.$/)
      await done.waitFor()
      await keepPicture(writing, 'ticket-sent')
      const number = matchOf(/\d+/, await done.innerText())

      await answering.goto('/admin/enquiries')
      const row = answering.getByRole('row').filter({ hasText: number })
      await row.getByText('Support', { exact: true }).waitFor()
      await keepPicture(answering, 'enquiries')
      await row.getByRole('button').click()
      const dialog = answering.getByRole('dialog', { name: `No. ${number}` })
      await dialog.getByText('Why is it five dollars?').waitFor()
      await dialog.getByLabel('Answer').fill('It is what the card costs us.\n\nPay by bank to avoid it.')
      await keepPicture(answering, 'enquiry-answering')
      await button(dialog, 'Send Answer').click()
      await answering.getByText(`No. ${number} is answered`).first().waitFor()
      const answer = await eventually('the answer has arrived', async () =>
        (await mailsTo(writer.email)).find(({ subject }) => subject === `Answer to no. ${number}: The processing fee`),
      )
      for (const words of ['It is what the card costs us.', 'Why is it five dollars?'])
        assert.ok(answer.text.includes(words))
      await eventually('the team was mailed', async () =>
        (await mailsTo('support@holdfast.example')).some(({ subject }) => subject.startsWith(`No. ${number}:`)),
      )
    })
  }),
]
