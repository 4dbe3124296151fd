import { escapeHtml } from '@holdfast/kernel/html'

/** The words of a mail. Everything is plain text. */
export interface MailContent {
  /** The address that gets it, when it differs from the queued one: that of the account, which may be typed differently. */
  readonly to?: string
  readonly subject: string
  /** The first line: `Hello Ana,`. */
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** The one thing that the reader can do. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Why they get this mail, and what to do when it is not meant for them. */
  readonly reason: string
  /** The address that ends mails of this kind. Only marketing has one. A mail program may call it without asking (RFC 8058). */
  readonly unsubscribeUrl?: string
}

/** The text part and the HTML part of a mail, which say the same. */
export interface MailParts {
  readonly text: string
  readonly html: string
}

/** Writes the words of a mail as text and as HTML. */
export const partsOf = (content: MailContent): MailParts => ({ text: textOf(content), html: htmlOf(content) })

function textOf({ greeting, paragraphs, action, reason, unsubscribeUrl }: MailContent): string {
  const lines = [
    greeting,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    '--',
    reason,
    ...(unsubscribeUrl ? [`No more mails of this kind: ${unsubscribeUrl}`] : []),
  ]
  return `${lines.join('\n\n')}\n`
}

// Mail programs know few styles and load no style sheet, so each element has its own (https://www.caniemail.com).
const FONT = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
const TEXT = `${FONT};font-size:16px;line-height:1.5;margin:0 0 16px`
const SMALL = `${FONT};font-size:13px;line-height:1.5;margin:0 0 8px;color:#666`

function htmlOf({ subject, greeting, paragraphs, action, reason, unsubscribeUrl }: MailContent): string {
  const paragraph = (text: string) => `<p style="${TEXT}">${escapeHtml(text)}</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px">
<div style="max-width:560px;margin:0 auto">
<p style="${FONT};font-size:20px;font-weight:700;margin:0 0 24px">Holdfast</p>
${[greeting, ...paragraphs].map(paragraph).join('\n')}
${action ? actionOf(action) : ''}
<hr style="border:0;border-top:1px solid #ccc;margin:24px 0 16px">
<p style="${SMALL}">${escapeHtml(reason)}</p>
${unsubscribeUrl ? `<p style="${SMALL}"><a href="${escapeHtml(unsubscribeUrl)}" style="color:#666">No more mails of this kind</a></p>` : ''}
</div>
</body>
</html>
`
}

const actionOf = ({ label, url }: { readonly label: string; readonly url: string }): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${FONT};display:inline-block;padding:12px 20px;border-radius:8px;background:#2f4a40;color:#fff;font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="${SMALL}">If the button does not work, open this address: <br><span style="word-break:break-all">${escapeHtml(url)}</span></p>`
