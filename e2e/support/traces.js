import assert from 'node:assert/strict'
import { JAEGER_URL } from './environment.js'

/**
 * The spans of a request's trace, whose id is the request's id without dashes: `{ service, name, tags, id, parentId }` each. Work that
 * several requests share is recorded in the trace of one of them. Where a span leads to it by a link, it is added below that span.
 */
export async function traceOf(requestId) {
  const spans = await fetchTrace(requestId.replaceAll('-', ''))
  const shared = await Promise.all(spans.filter(span => span.link).map(span => sharedWork(span)))
  return [...spans, ...shared.flat()]
}

async function sharedWork({ id, link }) {
  const spans = await fetchTrace(link.traceID)
  const below = spans.filter(span => pathTo(span, spans).some(each => each.id === link.spanID))
  return below.map(span => (span.parentId === link.spanID ? { ...span, parentId: id } : span))
}

/** The spans above a span, the nearest first. */
export function pathTo(span, spans) {
  const path = []
  for (let at = span; at; ) {
    at = spans.find(({ id }) => id === at.parentId)
    if (at) path.push(at)
  }
  return path
}

async function fetchTrace(id) {
  const response = await fetch(`${JAEGER_URL}/api/traces/${id}`)
  if (response.status === 404) return []
  assert.equal(response.status, 200)
  const [{ spans, processes }] = (await response.json()).data
  return spans.map(({ operationName: name, spanID, processID, references, tags }) => ({
    service: processes[processID].serviceName,
    name,
    id: spanID,
    parentId: references.find(({ refType }) => refType === 'CHILD_OF')?.spanID,
    link: references.find(({ refType }) => refType === 'FOLLOWS_FROM'),
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }))
}
