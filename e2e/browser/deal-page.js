import assert from 'node:assert/strict'
import { eventually } from '../support/eventually.js'

/** What a party sees of a deal. Nothing here reloads a page: what the other party did must appear by itself. */

export const toDeal = (page, deal) => page.goto(`/transaction/${deal.id}`)

/**
 * Waits until the page of a deal shows all of this.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ status: string, money: string, turn: string | RegExp, history: string }} shown the badge; where the money is, as
 * a screen reader says it; whose turn it is; the newest entry of the history with its author, such as "It was paid. (by you)"
 */
export async function showsDeal(page, { status, money, turn, history }) {
  await page.locator('main header').getByText(status, { exact: true }).waitFor()
  const line = page.getByRole('region', { name: 'Where the money is' })
  await line.getByRole('img', { name: money, exact: true }).waitFor()
  await line.getByText(turn).waitFor()
  await eventually(
    `the newest entry of the history is "${history}"`,
    async () => (await historyOf(page))[0] === history,
  )
}

/** The entries of the history, newest first, each with its author. */
const historyOf = page =>
  page
    .getByRole('region', { name: 'History' })
    .getByRole('listitem')
    .evaluateAll(entries =>
      entries.map(entry => {
        const [text, when] = [...entry.querySelectorAll('p')].map(each => each.textContent)
        return `${text} (${when.split(', ').at(-1)})`
      }),
    )

/**
 * Waits until the bell has this as its newest unread notification. Opening the bell marks it as read.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} title
 * @param {string | RegExp} message
 * @param {string} [leadsTo] the address that the notification must lead to, where that matters
 */
export async function bellSays(page, title, message, leadsTo) {
  const unread = page.getByRole('button', { name: /^Notifications, \d+ unread$/ })
  await unread.waitFor()
  await unread.click()
  const newest = page.getByRole('menu', { name: 'Notifications' }).getByRole('menuitem').first()
  await newest.filter({ hasText: title }).filter({ hasText: message }).waitFor()
  if (leadsTo) assert.equal(await newest.getAttribute('href'), leadsTo, `“${title}” leads to ${leadsTo}`)
  await page.keyboard.press('Escape')
}

/** Waits until the system has written this into the chat of a deal. */
export const chatSays = (page, text) =>
  page.getByRole('log', { name: 'Conversation' }).getByText(text, { exact: true }).waitFor()

/** Gives a command of the page of a deal: presses its button, reads the question, and answers it. */
export async function command(page, name, { asks, confirm }) {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('alertdialog')
  for (const text of [asks].flat()) await dialog.getByText(text).first().waitFor()
  await dialog.getByRole('button', { name: confirm, exact: true }).click()
}
