import { VISITOR_META } from '@holdfast/contracts/pages'
import type { PageHead } from './page-head.js'
import { NO_PRELOADS, pageTemplate } from './page-template.js'

const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta
      name="description"
      content="What the build wrote."
    />
    <title>Holdfast</title>
    <script src="/theme.js"></script>
  </head>
  <body></body>
</html>
`
const head = (changes: Partial<PageHead> = {}): PageHead => ({
  title: 'Browse',
  description: 'Items',
  canonical: 'https://holdfast.example/browse',
  indexed: true,
  preview: [],
  ...changes,
})

describe('the HTML of a page', () => {
  const template = pageTemplate(INDEX, ['card', 'bank'])
  const render = (head: PageHead) => template(head, 'user', NO_PRELOADS)

  it('is that of the build with the page’s own title and description', () => {
    expect(
      render(
        head({
          preview: [
            ['og:title', 'Browse'],
            ['twitter:card', 'summary'],
          ],
        }),
      ),
    ).toBe(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title data-page-head>Browse</title>
    <meta data-page-head name="description" content="Items" />
    <link data-page-head rel="canonical" href="https://holdfast.example/browse" />
    <meta data-page-head property="og:title" content="Browse" />
    <meta data-page-head name="twitter:card" content="summary" />
    <meta data-page-head name="holdfast-payment-methods" content="card,bank" />
    <script src="/theme.js"></script>
  </head>
  <body></body>
</html>
`)
  })

  it('asks search engines not to index private pages', () => {
    const html = render(head({ indexed: false, canonical: null }))
    expect(html).toContain('<meta data-page-head name="robots" content="noindex" />')
    expect(html).not.toContain('canonical')
  })

  it('names the scripts and the reads that the browser loads first', () => {
    const html = template(head(), 'user', { scripts: ['/assets/browse-1.js'], reads: ['/api/listings?a=1&b=2'] })
    expect(html).toContain('<link rel="modulepreload" crossorigin href="/assets/browse-1.js" />')
    expect(html).toContain('<link rel="preload" as="fetch" crossorigin href="/api/listings?a=1&amp;b=2" />')
  })

  it('tells the web app that a reader has no session', () => {
    const sign = `<meta data-page-head name="${VISITOR_META}" content="yes" />`
    expect(template(head(), 'visitor', NO_PRELOADS)).toContain(sign)
    expect(template(head(), 'user', NO_PRELOADS)).not.toContain(VISITOR_META)
  })

  it.each([
    '</title><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onload='alert(1)",
    '&lt;script&gt;',
    '$& $` $1',
  ])('escapes %j', text => {
    const html = render(head({ title: text, description: text, preview: [['og:title', text]] }))
    const escaped = text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
    expect(html).toContain(`<title data-page-head>${escaped}</title>`)
    expect(html).toContain(`name="description" content="${escaped}" />`)
    expect(html).toContain(`property="og:title" content="${escaped}" />`)
    expect(html.match(/<script/g)).toHaveLength(1)
  })

  it('cannot be made from HTML without a title', () => {
    expect(() => pageTemplate('<html></html>', ['card'])).toThrow('must have one <title>')
  })
})
