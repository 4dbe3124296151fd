import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { fillIn, openLink } from '../connect/accounts.js'
import { type Context, NO_CALL } from '../context.js'
import { decodeForm } from '../http/form.js'
import { sameText } from '../http/keys.js'
import { isCalledByOwnName } from '../http/own-name.js'
import { completeChallenge } from '../payments/attempts.js'
import type { IntentRecord, SetupIntentRecord } from '../payments/records.js'
import { completeSetupChallenge } from '../payments/setup-intents.js'
import { challengeDone, challengeGone, challengePage, setupChallengePage } from './challenge.js'
import { dashboard } from './dashboard.js'
import type { Html } from './html.js'
import { mailPages } from './mails.js'
import { onboardingGone, onboardingPage } from './onboarding.js'

type OnboardingRoute = { Params: { id: string } }
type ChallengeRoute = { Params: { id: string; token: string } }

const outcomeBody = z.object({ outcome: z.enum(['pass', 'fail']) })

const bankBody = z.object({
  holder: z.string().trim().min(1).max(60),
  routing: z.string(),
  number: z.string().max(40),
})

const asset = (name: string): string => readFileSync(new URL(`../../public/${name}`, import.meta.url), 'utf8')

/** The page for people who try the product, the page where a payer passes the bank's check, and the form for sellers. */
export async function pages(app: FastifyInstance, { context }: { context: Context }): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (!isCalledByOwnName(context, request)) return reply.code(403).send('This is not a name of the sandbox.')
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, decodeForm(String(body))),
  )
  serveAsset(app, '/page.css', 'text/css', asset('page.css'))
  serveAsset(app, '/page.js', 'text/javascript', asset('page.js'))

  app.get('/', { logLevel: 'warn' }, async (request, reply) => {
    // The page asks every second; while nothing has changed the answer is short.
    const etag = `"${process.pid}-${context.state.version}"`
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return page(reply.header('etag', etag), dashboard(context), "form-action 'self'; frame-ancestors 'none'")
  })
  setupChallenge(app, context)
  app.get<ChallengeRoute>('/challenge/:id/:token', async (request, reply) => {
    const intent = findChallenged(context, request.params)
    const policy = challengePolicy(context, intent)
    return intent ? page(reply, challengePage(context, intent), policy) : page(reply.code(404), challengeGone(), policy)
  })
  app.post<ChallengeRoute>('/challenge/:id/:token', async (request, reply) => {
    const intent = findChallenged(context, request.params)
    const parsed = outcomeBody.safeParse(request.body)
    if (!intent || !parsed.success) return page(reply.code(404), challengeGone(), challengePolicy(context, intent))
    const after = completeChallenge(context, NO_CALL, intent, parsed.data.outcome === 'pass')
    await context.state.commit()
    const back = wayBack(intent, after)
    return back ? reply.redirect(back, 303) : page(reply, challengeDone(after), challengePolicy(context, intent))
  })
  onboarding(app, context)
  mailPages(app, context, page)
}

/** The page of the bank that is asked whether a card may be saved. */
function setupChallenge(app: FastifyInstance, context: Context): void {
  const find = ({ id, token }: ChallengeRoute['Params']): SetupIntentRecord | null => {
    const setup = context.state.setups.get(id)
    return setup?.action && sameText(setup.action.token, token) ? setup : null
  }
  app.get<ChallengeRoute>('/challenge/:id(^seti_.+)/:token', async (request, reply) => {
    const setup = find(request.params)
    const policy = challengePolicy(context, setup)
    return setup ? page(reply, setupChallengePage(), policy) : page(reply.code(404), challengeGone(), policy)
  })
  app.post<ChallengeRoute>('/challenge/:id(^seti_.+)/:token', async (request, reply) => {
    const setup = find(request.params)
    const parsed = outcomeBody.safeParse(request.body)
    const policy = challengePolicy(context, setup)
    if (!setup || !parsed.success) return page(reply.code(404), challengeGone(), policy)
    const after = completeSetupChallenge(context, NO_CALL, setup, parsed.data.outcome === 'pass')
    await context.state.commit()
    if (!setup.action?.returnUrl) return page(reply, challengeDone(after), policy)
    const url = new URL(setup.action.returnUrl)
    url.searchParams.set('setup_intent', after.id)
    url.searchParams.set('setup_intent_client_secret', after.clientSecret)
    url.searchParams.set('redirect_status', after.status === 'succeeded' ? 'succeeded' : 'failed')
    return reply.redirect(url.toString(), 303)
  })
}

/** The form in which a seller names their bank account. It leads back to the product. */
function onboarding(app: FastifyInstance, context: Context): void {
  const policyOf = (back: string | undefined) =>
    `form-action 'self' ${back ? new URL(back).origin : ''}; frame-ancestors 'none'`
  app.get<OnboardingRoute>('/onboarding/:id', async (request, reply) => {
    const link = openLink(context, request.params.id)
    const policy = policyOf(link?.returnUrl)
    return link ? page(reply, onboardingPage(null), policy) : page(reply.code(404), onboardingGone(), policy)
  })
  app.post<OnboardingRoute>('/onboarding/:id', async (request, reply) => {
    const link = openLink(context, request.params.id)
    if (!link) return page(reply.code(404), onboardingGone(), policyOf(undefined))
    const parsed = bankBody.safeParse(request.body)
    const account = parsed.success ? fillIn(context, link, parsed.data) : null
    if (!account) {
      const wrong = 'Fill in every field, with one of the test account numbers below.'
      return page(reply.code(422), onboardingPage(wrong), policyOf(link.returnUrl))
    }
    await context.state.commit()
    return reply.redirect(link.returnUrl, 303)
  })
}

function serveAsset(app: FastifyInstance, url: string, type: string, text: string): void {
  app.get(url, { logLevel: 'warn' }, async (_request, reply) =>
    reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text),
  )
}

function page(reply: FastifyReply, content: Html, policy: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; ${policy}`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(content.text)
}

function findChallenged(context: Context, { id, token }: ChallengeRoute['Params']): IntentRecord | null {
  const intent = context.state.intents.get(id)
  return intent?.action && sameText(intent.action.token, token) ? intent : null
}

/** The product's pages may frame the check, and the form may lead back to where the payer came from. */
function challengePolicy(context: Context, intent: Pick<IntentRecord, 'action'> | null): string {
  const back = intent?.action?.returnUrl
  const origins = context.config.allowedOrigins.join(' ')
  return `form-action 'self' ${back ? new URL(back).origin : ''}; frame-ancestors 'self' ${origins}`
}

/** Where the payer goes next, with the provider's parameters (docs.stripe.com/payments/payment-intents/verifying-status). */
function wayBack(before: IntentRecord, after: IntentRecord): string | null {
  const returnUrl = before.action?.returnUrl
  if (!returnUrl) return null
  const url = new URL(returnUrl)
  url.searchParams.set('payment_intent', after.id)
  url.searchParams.set('payment_intent_client_secret', after.clientSecret)
  url.searchParams.set('redirect_status', REDIRECT_STATUS[after.status] ?? 'failed')
  return url.toString()
}

const REDIRECT_STATUS: Readonly<Record<string, string>> = { succeeded: 'succeeded', processing: 'processing' }
