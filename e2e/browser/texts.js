import { randomInt } from 'node:crypto'
import { Deal } from '../support/deal.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'
import { codeTo, confirmAddress, SANDBOX_TEXTS, textAbout } from '../support/sandbox.js'
import { keepPicture, see, withBrowsers } from './visit.js'

const button = (page, name) => page.getByRole('button', { name, exact: true })
/** A number that no test has used before. Its ending means nothing to the sandbox. */
const aNumber = () => `+1555${randomInt(1_000)}${randomInt(1_000, 10_000)}1`.padEnd(12, '1')

/** How people get texts. */
export const textJourneys = browser => [
  journey(
    'a person turns texts on, confirms their number with the code from the local inbox, and is texted about a dispute',
    async () => {
      const [person, buyer] = await Promise.all([Person.signUp('Tessa'), Person.signUp('Bela')])
      const number = aNumber()
      const early = '403: POST /api/phone/code'
      await withBrowsers(browser, 'texts', [{ person, width: 390, refused: [early] }], async ({ context, page }) => {
        await page.goto('/profile')
        await page.getByLabel('Phone Number').fill(number)
        await button(page, 'Save Changes').click()
        await see(page, 'Profile Updated')
        await page.getByRole('switch', { name: 'SMS notifications' }).click()
        await see(page, `Nothing is texted to ${number} before you have confirmed it.`)
        // A program that opens many accounts has no mailbox for each of them.
        await button(page, 'Text a Code').click()
        await see(page, 'Please confirm your e-mail address first.')
        await keepPicture(page, 'texts-without-address')
        await confirmAddress(person)
        await button(page, 'Text a Code').click()
        const code = await codeTo(number)
        const inbox = await context.newPage()
        await inbox.goto(SANDBOX_TEXTS)
        await inbox.getByText(`${code} is your Holdfast code`).waitFor()
        await inbox.close()
        await page.getByLabel('Code').fill(code)
        await keepPicture(page, 'texts-code')
        await button(page, 'Confirm').click()
        await see(page, `Texts go to ${number}. Answer STOP to end them.`)
        await keepPicture(page, 'texts-on')
      })
      const deal = await Deal.at('shipped', { title: 'A pewter jug' }, { seller: person, buyer })
      const filing = { transactionId: deal.id, reason: 'other', description: 'The parcel is open.' }
      const { id } = await buyer.expect(201, 'POST', '/api/disputes', { body: filing })
      await textAbout(number, new RegExp(`^Holdfast: .*/disputes/${id}\\b`))
    },
  ),
]
