import lighthouse from 'lighthouse'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const TIMINGS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
}
/** Audits below this score are named in the table. */
const PASSED = 0.9

/**
 * Lighthouse's four scores of a page (0 to 100), the timings that the first score is made of, and the audits that failed.
 *
 * @param {string} url
 * @param {{ port: number, cookie?: string }} options `port` is the debugging port of the browser
 */
export async function measurePage(url, { port, cookie }) {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: CATEGORIES,
    ...(cookie ? { extraHeaders: { cookie } } : {}),
  })
  if (!result) throw new Error(`Lighthouse has no result for ${url}`)
  const { categories, audits, runtimeError } = result.lhr
  if (runtimeError) throw new Error(`Lighthouse could not measure ${url}: ${runtimeError.message}`)
  const timings = Object.entries(TIMINGS).map(([name, id]) => `${name} ${audits[id].displayValue}`)
  const weak = Object.values(categories).flatMap(({ id, auditRefs }) =>
    id === 'performance'
      ? []
      : auditRefs
          .map(ref => audits[ref.id])
          .filter(isFailed)
          .map(audit => audit.title),
  )
  return {
    scores: CATEGORIES.map(id => Math.round((categories[id].score ?? 0) * 100)),
    timings: [...timings, ...weak].join(', '),
  }
}

const isFailed = ({ score, scoreDisplayMode }) =>
  score !== null && score < PASSED && scoreDisplayMode !== 'informative' && scoreDisplayMode !== 'notApplicable'
