import { describe, expect, test } from 'vitest'
import { mailRefusals, mailShape } from './mail-config.js'
import { type MailContent, partsOf } from './mail-content.js'

const content: MailContent = {
  subject: 'A <b> & a "c"',
  greeting: 'Hello <script>alert(1)</script>,',
  paragraphs: ['One & two.'],
  action: { label: 'Go on', url: 'https://holdfast.example/a?b=1&c=2#token' },
  reason: 'Because.',
}

describe('the parts of a mail', () => {
  test('say the same, and the HTML escapes what people typed', () => {
    const { text, html } = partsOf(content)
    for (const words of [
      'Hello <script>',
      'One & two.',
      'Go on',
      'https://holdfast.example/a?b=1&c=2#token',
      'Because.',
    ])
      expect(text).toContain(words)
    for (const words of [
      'Hello &lt;script&gt;',
      'One &amp; two.',
      'href="https://holdfast.example/a?b=1&amp;c=2#token"',
    ])
      expect(html).toContain(words)
    expect(html).not.toContain('<script')
  })

  test('have a way to end mails of this kind only when there is one', () => {
    const unsubscribeUrl = 'https://holdfast.example/u#t'
    expect(Object.values(partsOf({ ...content, unsubscribeUrl })).every(part => part.includes(unsubscribeUrl))).toBe(
      true,
    )
    expect(Object.values(partsOf(content)).some(part => part.includes('No more mails'))).toBe(false)
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
