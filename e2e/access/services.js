import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROUTES_BY_SERVICE } from '@holdfast/contracts/routes'
import { Person } from '../support/person.js'

/**
 * Headers with which a caller could say who they are. None of them has a valid signature.
 *
 * @param {string} body of the request; empty without one
 * @returns {Record<string, string>[]}
 */
function forgedHeaders(body) {
  // All that a call of the gateway for an admin states (`libs/service-kit/src/auth/actor.ts`), so that only the signature is wrong.
  const inTwentySeconds = Math.floor(Date.now() / 1_000) + 20
  const claim = {
    c: 'gateway',
    k: 'a-key-id',
    e: inTwentySeconds,
    x: randomUUID(),
    b: body === '' ? '' : createHash('sha256').update(body).digest('base64url'),
    u: '01900000-0000-7000-8000-000000000000',
    r: 'admin',
    p: 'standard',
  }
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url')
  const signature = Buffer.alloc(32).toString('base64url')
  return [{}, { 'x-holdfast-actor': 'v1.e30.AA' }, { 'x-holdfast-actor': `v1.${payload}.${signature}` }]
}

/**
 * Calls every internal route through the gateway, and every route of every service at its own port without a valid signature. Answers a
 * line for each call that was not refused, and for each service whose port is not known.
 *
 * @param {Record<string, number>} ports of the services
 */
export async function askServices(ports) {
  const visitor = new Person()
  const internalRoutes = await readInternalRoutes()
  const pathOf = path => path.replace(/\{\w+\}/g, '1')
  const faults = []
  const found = new Set()
  for (const { method, path } of internalRoutes) {
    const { status, text } = await visitor.call(method, pathOf(path), method === 'GET' ? {} : { body: {} })
    if (status !== 404 && status !== 405)
      faults.push(`${method} ${path} through the gateway answered ${status}: ${text.slice(0, 160)}`)
  }
  for (const [service, routes] of Object.entries(ROUTES_BY_SERVICE)) {
    if (service === 'gateway') continue
    if (!ports[service]) {
      faults.push(`SERVICE_PORTS has no port of ${service}`)
      continue
    }
    // The gateway answers joined routes itself. The contracts do not say which services have an internal route: each is asked for all.
    for (const route of [...routes.filter(({ handling }) => handling !== 'joined'), ...internalRoutes]) {
      const { method, path } = route
      const answers = []
      const body = method === 'GET' ? '' : '{}'
      for (const headers of forgedHeaders(body)) {
        /** @type {Record<string, string>} */
        const type = body === '' ? {} : { 'content-type': 'application/json' }
        const answer = await fetch(`http://127.0.0.1:${ports[service]}${pathOf(path)}`, {
          method,
          headers: { ...headers, ...type },
          ...(body === '' ? {} : { body }),
        })
        answers.push({ status: answer.status, text: await answer.text() })
      }
      const isAbsent = internalRoutes.includes(route) && answers.every(({ status }) => status === 404)
      if (isAbsent) continue
      found.add(route)
      for (const { status, text } of answers)
        if (status !== 403) faults.push(`${method} ${path} at ${service} answered ${status}: ${text.slice(0, 160)}`)
    }
  }
  for (const route of internalRoutes)
    if (!found.has(route)) faults.push(`${route.method} ${route.path} was refused by no service`)
  return faults
}

/** Every internal route of the contracts, whichever of their files has it. */
async function readInternalRoutes() {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('@holdfast/contracts/routes')))
  const names = fs.readdirSync(folder).filter(name => name.endsWith('.js'))
  const modules = await Promise.all(names.map(name => import(`@holdfast/contracts/${name.slice(0, -3)}`)))
  const values = modules
    .flatMap(module => Object.values(module))
    .flatMap(value => [value, ...Object.values(value ?? {})])
  return [...new Set(values)].filter(value => typeof value?.path === 'string' && value.path.startsWith('/internal/'))
}
