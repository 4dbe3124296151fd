import { ADMINS } from './actors.js'

/** Traces of the inside: a stack, SQL, a file of ours. */
const INSIDE =
  /\bat .{1,200}\.[jt]s:\d+|\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b .{1,200}\b(FROM|WHERE|VALUES|SET)\b|relation "|node_modules|violates/
/** A picture in an answer. Only the review of an identity has some. */
const DATA_URL = 'data:image/'
/** With a status like this, the request got past every question of access. */
const isAccepted = status => (status >= 200 && status < 300) || status === 409 || status === 410

/** The beginning of an answer, which may be a picture. */
const shown = text => text.slice(0, 160).replaceAll(/[^ -~]/g, '.')

/** An answer without what differs from request to request. */
export function shapeOf({ status, body, text, headers }) {
  const { requestId: _, ...rest } = body ?? {}
  return JSON.stringify({
    status,
    body: body ? rest : text.slice(0, 200),
    type: headers.get('content-type'),
    cache: headers.get('cache-control'),
    etag: headers.has('etag'),
  })
}

/** What is wrong with an answer, as clauses. `absent` is the shape of the answer to the same person about nothing. */
export function faultsOf({ route, actor, record, expected }, answer, marks, absent) {
  const faults = [...faultsOfStatus(expected, answer, absent), ...leaksOf(route, actor, expected, answer, marks)]
  const { status, headers, text } = answer
  const trace = INSIDE.exec(text)
  if (status >= 500 || trace) faults.push(`shows a fault of ours: ${status} ${shown(text)}`)
  const cache = headers.get('cache-control') ?? ''
  if (/public/.test(cache) && record !== null && !record.isPublic)
    faults.push(`may be kept by a shared cache: ${cache}`)
  if (isPrivate(route, status) && !/no-store|private|no-cache/.test(cache))
    faults.push(`has no Cache-Control of a private answer: ${cache}`)
  return faults
}

const isPrivate = ({ access, method }, status) =>
  (access === 'user' || access === 'admin') && method === 'GET' && status === 200

function faultsOfStatus(expected, answer, absent) {
  const { status, body, text } = answer
  const got = `${status} ${shown(text)}`
  const code = body?.code
  switch (expected) {
    case 'hidden':
      return status === 404 && code === 'NOT_FOUND' && body.details === null
        ? []
        : [`must not be found, and was answered ${got}`]
    case 'signIn':
      return status === 401 && code === 'UNAUTHENTICATED' ? [] : [`must be asked to sign in, and was answered ${got}`]
    case 'forbidden':
      return status === 403 && code !== 'CROSS_SITE_REQUEST' ? [] : [`must be forbidden, and was answered ${got}`]
    case 'allowed':
      return isAccepted(status) ? [] : [`must be allowed, and was answered ${got}`]
    case 'own':
      return status === 403 || ['UNAUTHENTICATED', 'NOT_FOUND'].includes(code)
        ? [`must be let in, and was answered ${got}`]
        : []
    default:
      // A list that belongs to nobody is empty.
      if (absent === null && status === 200 && text === '[]') return []
      if (status !== 404) return [`must not be found, and was answered ${got}`]
      return absent === null || absent === shapeOf(answer)
        ? []
        : [`is not answered as about nothing: ${got}, and ${absent}`]
  }
}

/** The marks that somebody reads who may not. Admins read what the routes of the console and of their disputes are for. */
function leaksOf({ access, record }, actor, expected, { text, headers }, marks) {
  const isMediator =
    ADMINS.includes(actor) && (access === 'admin' || ['dispute', 'evidenceImage'].includes(record?.kind))
  const all = text + [...headers].join()
  const found = isMediator ? [] : marks.filter(mark => !mark.for.includes(actor) && all.includes(mark.text))
  const faults = found.map(({ what }) => `shows ${what}`)
  if (text.includes(DATA_URL) && !(isMediator && expected === 'allowed')) faults.push('shows a picture as a data URL')
  return faults
}
