import assert from 'node:assert/strict'

/** The addresses of our API, and of the payment provider's. Files of the app are let through: they stay in the browser's cache. */
const ASKED = [{ urlPattern: '*/api/*' }, { urlPattern: '*/v1/*' }]
/** They describe the body of the server, which was replaced. */
const OF_THE_BODY = /^(content-(length|encoding)|etag)$/i

/**
 * Replaces or changes an answer of the server while `work` runs. The page must ask for it. Playwright's `route` would turn the browser's cache off,
 * and every page would load and compile the whole app again.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ to: RegExp, status?: number, json?: unknown, change?: (json: any) => unknown, hangs?: boolean }} answer `change` makes it from the
 * server's; one that hangs never comes
 */
export async function withReplaced(page, { to, status = 200, json, change, hangs }, work) {
  const browser = await page.context().newCDPSession(page)
  let asked = 0
  const answerTo = async event => {
    const { requestId, request, responseStatusCode } = event
    if (!to.test(request.url) || request.method === 'OPTIONS')
      return browser.send('Fetch.continueRequest', { requestId })
    if (responseStatusCode === undefined) asked++
    if (hangs) return
    if (!change) return fulfil(browser, event, status, [JSON_TYPE, ...allowing(request)], json)
    if (responseStatusCode === undefined)
      return browser.send('Fetch.continueRequest', { requestId, interceptResponse: true })
    const { body, base64Encoded } = await browser.send('Fetch.getResponseBody', { requestId })
    const given = JSON.parse(Buffer.from(body, base64Encoded ? 'base64' : 'utf8').toString())
    const headers = event.responseHeaders.filter(({ name }) => !OF_THE_BODY.test(name))
    return fulfil(browser, event, responseStatusCode, headers, change(given))
  }
  let failure
  browser.on('Fetch.requestPaused', event => {
    answerTo(event).catch(error => {
      // The page was left before the answer came.
      if (!/Invalid InterceptionId|closed/.test(error.message)) failure ??= error
    })
  })
  await browser.send('Fetch.enable', { patterns: ASKED })
  try {
    await work()
  } finally {
    // The page may ask again at any time. What has no answer here may not exist at the server, and a refusal would count for the next screen.
    if (!change) await page.goto('about:blank')
    await browser.detach()
  }
  if (failure) throw failure
  assert.ok(asked > 0, `the page asks for ${to}`)
}

const JSON_TYPE = { name: 'content-type', value: 'application/json' }

/** Headers with which a page of ours may read the answer of another origin. */
const allowing = ({ headers }) => {
  const origin = headers.Origin ?? headers.origin
  if (!origin) return []
  return [
    { name: 'access-control-allow-origin', value: origin },
    { name: 'access-control-allow-credentials', value: 'true' },
  ]
}

const fulfil = (browser, { requestId }, responseCode, responseHeaders, json) =>
  browser.send('Fetch.fulfillRequest', {
    requestId,
    responseCode,
    responseHeaders,
    body: Buffer.from(json === undefined ? '' : JSON.stringify(json)).toString('base64'),
  })
