import { type Html, html } from './html.js'

/** The frame of every page. `live` pages load the script that keeps them current. */
export function layout(title: string, content: Html, live: boolean): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
${live && html`<script src="/page.js" type="module"></script>`}
</head>
<body>
${content}
</body>
</html>
`
}

/** A time for people: the hour, and the day when it is not today. */
export function time(at: number, now: number): Html {
  const date = new Date(at)
  const sameDay = date.toDateString() === new Date(now).toDateString()
  const hour = date.toLocaleTimeString('en-GB')
  const day = date.toLocaleDateString('en-US', { month: 'short', day: 'numeric' })
  return html`<time datetime="${date.toISOString()}">${sameDay ? hour : `${day}, ${hour.slice(0, 5)}`}</time>`
}
