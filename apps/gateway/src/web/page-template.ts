import { VISITOR_META } from '@holdfast/contracts/pages'
import { escapeHtml } from '@holdfast/kernel/html'
import { PAYMENT_METHODS_META, type PaymentMethod } from '@holdfast/kernel/payments'
import type { PageHead } from './page-head.js'

/** Whether the browser sent a session with its request. The session may have ended. */
export type Reader = 'visitor' | 'user'

/** What the browser begins to load with the HTML, because the page asks for it as soon as its code runs. */
interface Preloads {
  /** Addresses of scripts. */
  readonly scripts: readonly string[]
  /** Addresses that the page reads from the API. */
  readonly reads: readonly string[]
}

export const NO_PRELOADS: Preloads = { scripts: [], reads: [] }

/** Marks each tag that is written here, so that the web app can remove it when it shows another page. */
const MARK = 'data-page-head'

const TITLE = /<title>[\s\S]*?<\/title>/
const DESCRIPTION = /\s*<meta\s+name="description"[^>]*>/

/**
 * Prepares the built index.html, so that each page can get its own head. The title and description of the build are
 * replaced; everything else, such as scripts and style sheets, stays.
 *
 * @param paymentMethods the ways to pay that buyers are offered, which the web app names
 * @returns a function that writes the HTML of a page, for a visitor or for a browser that sent a session
 * @throws Error when the HTML has no `<title>` to replace
 */
export function pageTemplate(
  indexHtml: string,
  paymentMethods: readonly PaymentMethod[],
): (head: PageHead, reader: Reader, preloads: Preloads) => string {
  const [before, after, ...more] = indexHtml.replace(DESCRIPTION, '').split(TITLE)
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error('the index.html of the web app must have one <title>')
  }
  const methods = meta('name', PAYMENT_METHODS_META, paymentMethods.join())
  return (head, reader, preloads) =>
    before + [...tagsOf(head, reader), methods, ...preloadTags(preloads)].join('\n    ') + after
}

function tagsOf({ title, description, canonical, indexed, preview }: PageHead, reader: Reader): string[] {
  return [
    `<title ${MARK}>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    ...(canonical === null ? [] : [`<link ${MARK} rel="canonical" href="${escapeHtml(canonical)}" />`]),
    ...(indexed ? [] : [meta('name', 'robots', 'noindex')]),
    ...(reader === 'visitor' ? [meta('name', VISITOR_META, 'yes')] : []),
    ...preview.map(([name, content]) => meta(name.startsWith('twitter:') ? 'name' : 'property', name, content)),
  ]
}

/** With `crossorigin` a preload has the mode and the credentials of the web app's `fetch`. Otherwise it would be loaded twice. */
function preloadTags({ scripts, reads }: Preloads): string[] {
  return [
    ...scripts.map(href => `<link rel="modulepreload" crossorigin href="${escapeHtml(href)}" />`),
    ...reads.map(href => `<link rel="preload" as="fetch" crossorigin href="${escapeHtml(href)}" />`),
  ]
}

const meta = (key: 'name' | 'property', name: string, content: string): string =>
  `<meta ${MARK} ${key}="${name}" content="${escapeHtml(content)}" />`
