import assert from 'node:assert/strict'
import { BASE_URL } from './environment.js'

/** Lists in these tests are short. More pages than this mean that the links never end. */
const MAX_PAGES = 20

/** The pages of a list, first to last. It follows `Link: rel="next"` like any outside client. */
export async function everyPage(person, path) {
  const pages = []
  for (let next = path; next !== null; ) {
    assert.ok(pages.length < MAX_PAGES, `${path} has more than ${MAX_PAGES} pages`)
    const { status, headers, text, body } = await person.call('GET', next)
    assert.equal(status, 200, `GET ${next} answered ${status}: ${text}`)
    pages.push(body)
    next = nextPath(headers.get('link'), next)
  }
  return pages
}

function nextPath(link, from) {
  const [, target] = /^<([^>]+)>; rel="next"$/.exec(link ?? '') ?? []
  if (target === undefined) return null
  const { origin, pathname, search } = new URL(target, BASE_URL + from)
  assert.equal(origin, BASE_URL, `the link ${link} leads to the public address`)
  return pathname + search
}
