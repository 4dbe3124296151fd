import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { BASE_URL } from './environment.js'

export const PASSWORD = 'correct horse battery'
const ANSWER_WITHIN_MS = 20_000

/**
 * @typedef {object} CallOptions
 * @property {unknown} [body] sent as JSON
 * @property {string | Uint8Array<ArrayBuffer>} [raw] sent as it is
 * @property {Record<string, string>} [headers]
 * @property {string} [key] the idempotency key
 */

/** A person who calls the product and keeps its session cookie. */
export class Person {
  cookie = ''
  // Those of the account. They are empty for a visitor.
  id = ''
  email = ''
  username = ''
  firstName = ''
  lastName = ''
  role = ''
  /** What the person's browser calls itself; empty for what `fetch` says. */
  userAgent = ''

  /**
   * A visitor who has no account.
   *
   * @param {Partial<Person>} known
   */
  constructor(known = {}) {
    Object.assign(this, known)
  }

  /** Opens an account under a new username. */
  static async signUp(firstName, lastName = 'Tester') {
    const unique = randomBytes(5).toString('hex')
    const username = `${firstName.toLowerCase()}.${unique}`
    const person = new Person({ firstName, lastName, username, email: `${username}@example.com` })
    const body = { email: person.email, password: PASSWORD, firstName, lastName, username }
    const { user } = await person.expect(201, 'POST', '/api/auth/signup', { body })
    person.id = user.id
    return person
  }

  static async signIn(email, password) {
    const person = new Person({ email })
    const { user } = await person.expect(200, 'POST', '/api/auth/signin', { body: { email, password } })
    Object.assign(person, user)
    return person
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} options
   */
  async call(method, path, { body, raw, headers = {}, key } = {}) {
    const response = await fetch(BASE_URL + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: {
        ...(body !== undefined || raw !== undefined ? { 'content-type': 'application/json' } : {}),
        ...(this.cookie ? { cookie: this.cookie } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        ...(this.userAgent ? { 'user-agent': this.userAgent } : {}),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    })
    const session = response.headers.getSetCookie().find(line => line.includes('holdfast_session='))
    if (session !== undefined) this.cookie = session.split(';', 1)[0]
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parse(text) }
  }

  /**
   * As `call`; fails unless the answer has this status. Resolves with the body.
   *
   * @param {number} status
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} [options]
   * @returns {Promise<any>}
   */
  async expect(status, method, path, options) {
    const answer = await this.call(method, path, options)
    assert.equal(answer.status, status, `${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 400)}`)
    return answer.body
  }

  /**
   * As `call`; fails unless it is refused with this status and code. Resolves with the refusal.
   *
   * @param {number} status
   * @param {string} code
   * @param {string} method
   * @param {string} path
   * @param {CallOptions} [options]
   */
  async refused(status, code, method, path, options) {
    const body = await this.expect(status, method, path, options)
    assert.equal(body.code, code, `${method} ${path} was refused with ${body.code}, not ${code}`)
    assert.equal(body.error, body.message)
    assert.ok(body.requestId, 'a refusal names its request')
    return body
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    // An image, a page or an empty answer is not JSON.
    return null
  }
}
