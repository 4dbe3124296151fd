import { escapeHtml } from '@holdfast/kernel/html'
import { quoted, type Reader, type Sentence, say, written } from './sentence.js'

/** The words of a mail. Everything is plain text. */
export interface MailContent {
  /** The address that gets it, when it differs from the queued one: that of the account, which may be typed differently. */
  readonly to?: string
  readonly subject: Sentence
  /** The first name of the reader, for the first line: `Hello Ana,`. A name is what its user wrote. */
  readonly firstName?: string
  readonly paragraphs: readonly Sentence[]
  /** What a user has us say to somebody whose address they typed. It is shown as a quotation, also to a stranger. */
  readonly quotation?: Quotation
  /** The one thing that the reader can do. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Why they get this mail, and what to do when it is not meant for them. */
  readonly reason: Sentence
  /** The address that ends mails of this kind. Only marketing has one. A mail program may call it without asking (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** Words of a user, each with a label of ours. */
export type Quotation = readonly { readonly label: string; readonly text: string }[]

/** A mail as it is sent: its subject, its text part and its HTML part, which say the same. */
export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly unsubscribeUrl?: string
}

/** What the two parts are made of. */
interface Lines extends Pick<MailContent, 'action' | 'unsubscribeUrl'> {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly quotation: readonly string[]
  readonly reason: string
}

const SUBJECT_FOR_STRANGERS = 'A message from Holdfast'
const ABOVE_QUOTATION = 'These are the words of that person. We have not checked them.'

/** Writes the words of a mail for its reader. Who has not confirmed the address gets no word that a user wrote, except a quotation. */
export function mailOf(content: MailContent, reader: Reader): Mail {
  const { firstName, quotation, action, unsubscribeUrl } = content
  const greeting = firstName === undefined ? null : say`Hello ${written(firstName)},`.for(reader)
  const lines = {
    subject: content.subject.for(reader) ?? SUBJECT_FOR_STRANGERS,
    paragraphs: [greeting ?? 'Hello,', ...content.paragraphs.flatMap(sentence => sentence.for(reader) ?? [])],
    quotation: quotation ? [ABOVE_QUOTATION, ...quotation.map(({ label, text }) => `${label}: ${quoted(text)}`)] : [],
    reason: content.reason.for(reader) ?? '',
    ...(action && { action }),
    ...(unsubscribeUrl && { unsubscribeUrl }),
  }
  return {
    subject: lines.subject,
    text: textOf(lines),
    html: htmlOf(lines),
    ...(unsubscribeUrl && { unsubscribeUrl }),
  }
}

function textOf({ paragraphs, quotation, action, reason, unsubscribeUrl }: Lines): string {
  const parts = [
    ...paragraphs,
    ...(quotation.length > 0 ? [quotation.map(line => `> ${line}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    '--',
    reason,
    ...(unsubscribeUrl ? [`No more mails of this kind: ${unsubscribeUrl}`] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

// Mail programs know few styles and load no style sheet, so each element has its own (https://www.caniemail.com).
const FONT = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
const TEXT = `${FONT};font-size:16px;line-height:1.5;margin:0 0 16px`
const SMALL = `${FONT};font-size:13px;line-height:1.5;margin:0 0 8px;color:#666`
const QUOTE = 'margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #ccc'

function htmlOf({ subject, paragraphs, quotation, action, reason, unsubscribeUrl }: Lines): string {
  const paragraph = (text: string) => `<p style="${TEXT}">${escapeHtml(text)}</p>`
  const small = (text: string) => `<p style="${SMALL}">${escapeHtml(text)}</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px">
<div style="max-width:560px;margin:0 auto">
<p style="${FONT};font-size:20px;font-weight:700;margin:0 0 24px">Holdfast</p>
${paragraphs.map(paragraph).join('\n')}
${quotation.length > 0 ? `<blockquote style="${QUOTE}">${quotation.map(small).join('\n')}</blockquote>` : ''}
${action ? actionOf(action) : ''}
<hr style="border:0;border-top:1px solid #ccc;margin:24px 0 16px">
${small(reason)}
${unsubscribeUrl ? `<p style="${SMALL}"><a href="${escapeHtml(unsubscribeUrl)}" style="color:#666">No more mails of this kind</a></p>` : ''}
</div>
</body>
</html>
`
}

const actionOf = ({ label, url }: { readonly label: string; readonly url: string }): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${FONT};display:inline-block;padding:12px 20px;border-radius:8px;background:#2f4a40;color:#fff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="${SMALL}">If the button does not work, open this address: <br><span style="word-break:break-all">${escapeHtml(url)}</span></p>`
