import { escapeHtml } from '@holdfast/kernel/html'
import type { OpenApi, Operation } from './openapi.js'
import { schemaText } from './schema-text.js'

/** The description of the API as one HTML page without scripts. */
export function docsPage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = api.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    const items = own.map(({ path, method, operation }) => operationHtml(path, method, operation))
    return `<section id="${name}"><h2>${escapeHtml(name)}</h2>${items.join('')}</section>`
  })
  const links = api.tags.map(({ name }) => `<a href="#${name}">${escapeHtml(name)}</a>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(api.info.title)} API</title>
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<header><h1>${escapeHtml(api.info.title)} API</h1><p>${prose(api.info.description)}</p>
<p><a href="/api/openapi.json">The same in OpenAPI ${api.openapi}</a></p></header>
<nav aria-label="Areas">${links.join(' ')}</nav>
<main>${sections.join('\n')}</main>
</body>
</html>
`
}

function operationHtml(path: string, method: string, operation: Operation): string {
  const verb = method.toUpperCase()
  return `<details id="${operation.operationId}"><summary><code class="verb ${method}">${verb}</code> <code>${escapeHtml(path)}</code> <span>${prose(operation.summary)}</span></summary>
<div><p class="access">${escapeHtml(accessText(operation))}</p>${parametersHtml(operation)}${bodyHtml(operation)}${responsesHtml(operation)}</div></details>`
}

function accessText({ security, description }: Operation): string {
  const session =
    security.length === 0
      ? 'No session needed.'
      : security.length > 1
        ? 'No session needed; the answer may depend on one.'
        : 'Needs a session.'
  return description ? `${session} ${description}` : session
}

function parametersHtml({ parameters }: Operation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(parameter => {
    const need = parameter.required ? 'required' : 'optional'
    const text = escapeHtml(schemaText(parameter.schema))
    const note = parameter.description ? `<br>${escapeHtml(parameter.description)}` : ''
    return `<tr><th scope="row"><code>${escapeHtml(parameter.name)}</code></th><td>${parameter.in}, ${need}</td><td><code>${text}</code>${note}</td></tr>`
  })
  return `<h3>Parameters</h3><div class="wide"><table>${rows.join('')}</table></div>`
}

function bodyHtml({ requestBody }: Operation): string {
  const schema = requestBody?.content['application/json']?.schema
  return schema ? `<h3>Body</h3><pre tabindex="0">${escapeHtml(schemaText(schema))}</pre>` : ''
}

function responsesHtml({ responses }: Operation): string {
  const blocks = Object.entries(responses).map(([status, response]) => {
    const [title, ...codes] = response.description.split('\n').filter(line => line !== '')
    const schema = Number(status) < 400 ? response.content?.['application/json']?.schema : undefined
    const shape = schema ? `<pre tabindex="0">${escapeHtml(schemaText(schema))}</pre>` : ''
    const list = codes.length > 0 ? `<ul>${codes.map(line => `<li>${prose(line.slice(2))}</li>`).join('')}</ul>` : ''
    return `<dt><strong>${status}</strong> ${escapeHtml(title ?? '')}</dt><dd>${shape}${list}</dd>`
  })
  return `<h3>Answers</h3><dl>${blocks.join('')}</dl>`
}

/** Escapes text in which backticks mark code. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** The page's style sheet, with a light and a dark scheme. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --ink: #1d1a16; --soft: #5f574c; --paper: #fbf8f2; --panel: #f2ece1; --line: #ddd3c2; --accent: #0f5f4c }
@media (prefers-color-scheme: dark) { :root { --ink: #f1ebe0; --soft: #b3a998; --paper: #191713; --panel: #24211b; --line: #3b362d; --accent: #7fd1b9 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 6rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 ui-sans-serif, system-ui, sans-serif }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem } h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; text-transform: capitalize } h3 { font-size: .9rem; margin: 1.25rem 0 .4rem }
header p { max-width: 44rem; color: var(--soft) }
a { color: var(--accent) } a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .75rem 0; border-block: 1px solid var(--line) }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .875em; overflow-wrap: anywhere }
details { border-bottom: 1px solid var(--line) }
summary { cursor: pointer; padding: .6rem 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline } summary span { color: var(--soft) }
details > div { padding: 0 0 1rem }
.verb { display: inline-block; min-width: 4.2rem; font-weight: 700 } .get { color: var(--accent) }
.access { color: var(--soft); margin: 0 }
pre { background: var(--panel); padding: .75rem 1rem; margin: .25rem 0; overflow-x: auto; white-space: pre; border-radius: 4px }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .3rem 1rem .3rem 0; font-weight: 400; border-top: 1px solid var(--line) } th { white-space: nowrap }
dt { margin-top: .5rem } dd { margin: 0 } ul { margin: .25rem 0; padding-left: 1.25rem }
`
