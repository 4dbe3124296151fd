import { hasLink } from '@holdfast/names/links'
import { mailRefusals, mailShape } from './mail-config.js'
import { type MailContent, mailOf } from './mail-content.js'
import { ours, quoted, say, written } from './sentence.js'

const URL = 'https://holdfast.example/a?b=1&c=2#token'
const content: MailContent = {
  subject: say`About ${written('A <b> & a "c"', 'an item')}`,
  firstName: '<script>alert(1)</script>',
  paragraphs: [say`One & ${ours('two')}.`, say`They wrote: ${written('Claim it: evil-prize.com/x7')}`],
  action: { label: 'Go on', url: URL },
  reason: say`Because.`,
}
const CONFIRMED = { isConfirmed: true }
const STRANGER = { isConfirmed: false }

describe('a mail to a confirmed address', () => {
  test('says the same in both parts, and the HTML escapes what people typed', () => {
    const { subject, text, html } = mailOf(content, CONFIRMED)
    expect(subject).toBe('About A <b> & a "c"')
    for (const words of ['Hello <script>', 'One & two.', 'Go on', URL, 'Because.']) expect(text).toContain(words)
    for (const words of [
      'Hello &lt;script&gt;',
      'One &amp; two.',
      'href="https://holdfast.example/a?b=1&amp;c=2#token"',
    ])
      expect(html).toContain(words)
    expect(html).not.toContain('<script')
  })

  test('has no link in what a user wrote', () => {
    const { text } = mailOf(content, CONFIRMED)
    expect(text).toContain('They wrote: Claim it: evil-prize. com/x7')
    expect(hasLink(text.replaceAll(URL, ''))).toBe(false)
  })

  test('has a way to end mails of this kind only when there is one', () => {
    const unsubscribeUrl = 'https://holdfast.example/u#t'
    const { text, html } = mailOf({ ...content, unsubscribeUrl }, CONFIRMED)
    for (const part of [text, html]) expect(part).toContain(unsubscribeUrl)
    const without = mailOf(content, CONFIRMED)
    for (const part of [without.text, without.html]) expect(part).not.toContain('No more mails')
  })
})

describe('a mail to an address that was not confirmed', () => {
  test('has none of the words that a user wrote: others stand for them, or the sentence is left out', () => {
    const { subject, text } = mailOf(content, STRANGER)
    expect(subject).toBe('About an item')
    expect(text).toBe(`Hello,\n\nOne & two.\n\nGo on:\n${URL}\n\n--\n\nBecause.\n`)
  })

  test('has a subject of ours when its own needs words of a user', () => {
    expect(mailOf({ ...content, subject: say`${written('Win!')}` }, STRANGER).subject).toBe('A message from Holdfast')
  })

  test('shows a quotation as what somebody wrote, on one line, without links and with a limit', () => {
    const title = `Prize\n\nHoldfast: evil-prize.com ${'x'.repeat(500)}`
    const { subject, text, html } = mailOf({ ...content, quotation: [{ label: 'The item', text: title }] }, STRANGER)
    expect(subject).not.toContain('Prize')
    expect(text).toContain(
      '> These are the words of that person. We have not checked them.\n> The item: “Prize Holdfast: evil-prize. com x',
    )
    expect(html).toMatch(/<blockquote.*We have not checked them.*The item: “Prize/s)
    expect(quoted(title)).toHaveLength(123)
    expect(quoted('A lamp”. Holdfast: “pay')).toBe("“A lamp'. Holdfast: 'pay”")
  })
})

describe('the configuration', () => {
  const config = {
    NODE_ENV: 'production',
    SMTP_URL: 'smtps://u:p@mail.example:465',
    MAIL_FROM: 'Holdfast <a@b.example>',
  }

  test.each(['smtp://localhost:25', 'smtp://127.0.0.1:1025', 'smtp://[::1]:25'])(
    'refuses %s in production',
    SMTP_URL => {
      expect(mailRefusals({ ...config, SMTP_URL }).SMTP_URL).toContain('must not be this machine')
      expect(mailRefusals({ ...config, NODE_ENV: 'development', SMTP_URL }).SMTP_URL).toBeUndefined()
      expect(mailRefusals(config).SMTP_URL).toBeUndefined()
    },
  )

  test.each(['hello@example.com', 'Holdfast <hello>', 'A <a@b.example>, B <c@d.example>'])(
    'refuses the sender %j',
    from => {
      expect(mailShape.MAIL_FROM.safeParse(from).success).toBe(false)
      expect(mailShape.MAIL_FROM.safeParse(config.MAIL_FROM).success).toBe(true)
    },
  )
})
