import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listPage } from '../http/list.js'
import { boolean, choice, commonShape, integer, listShape, metadata, text } from '../http/params.js'
import { type StripeApiOptions, serve } from '../http/stripe-endpoint.js'
import { mergeMetadata } from '../payments/payment-intents.js'
import { seconds } from '../payments/render-time.js'
import { createAccount, createLink, expiresAt, getAccount } from './accounts.js'
import { createPayout, getPayout } from './payouts.js'
import { renderAccount, renderPayout, renderReversal, renderTransfer } from './render.js'
import { createTransfer, getTransfer, reverseTransfer } from './transfers.js'

const retrieveParams = z.strictObject(commonShape)
const accountParams = z.strictObject({
  ...commonShape,
  type: choice(['express']),
  country: z.string().optional(),
  email: z.string().optional(),
  capabilities: z.strictObject({ transfers: z.strictObject({ requested: boolean }) }).optional(),
  settings: z
    .strictObject({
      payouts: z.strictObject({ schedule: z.strictObject({ interval: choice(['manual']) }) }),
    })
    .optional(),
  metadata: metadata.optional(),
})
const moneyShape = { ...commonShape, amount: integer, currency: text(3), metadata: metadata.optional() }

/** The accounts of Holdfast itself and of another platform. */
const PLATFORM = 'acct_holdfast'
const ANOTHER_PLATFORM = 'acct_anotherplatform'

/** Routes for sellers' accounts, transfers to them, and payouts (docs.stripe.com/connect/separate-charges-and-transfers). */
export function connectRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  accountRoutes(app, options)
  transferRoutes(app, options)
  payoutRoutes(app, options)
}

function accountRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  serve(app, options, {
    method: 'GET',
    url: '/account',
    params: retrieveParams,
    foreign: true,
    run: ({ keyKind }) => ({
      id: keyKind === 'foreign' ? ANOTHER_PLATFORM : PLATFORM,
      object: 'account',
      country: 'US',
    }),
  })
  serve(app, options, {
    method: 'POST',
    url: '/accounts',
    params: accountParams,
    run: ({ params }) => renderAccount(createAccount(context, mergeMetadata({}, params.metadata))),
  })
  serve(app, options, {
    method: 'GET',
    url: '/accounts/:id',
    params: retrieveParams,
    run: ({ id }) => renderAccount(getAccount(context, id)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/account_links',
    params: z.strictObject({
      ...commonShape,
      account: text(),
      type: choice(['account_onboarding']),
      return_url: z.url({ protocol: /^https?$/ }),
      refresh_url: z.url({ protocol: /^https?$/ }),
    }),
    run: ({ params }) => {
      const link = createLink(context, { accountId: params.account, returnUrl: params.return_url })
      return {
        object: 'account_link',
        created: seconds(link.createdAt),
        expires_at: seconds(expiresAt(link)),
        url: `${context.origin()}/onboarding/${link.id}`,
      }
    },
  })
}

function transferRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  serve(app, options, {
    method: 'POST',
    url: '/transfers',
    params: z.strictObject({ ...moneyShape, destination: text(), transfer_group: text().optional() }),
    run: ({ cause, params: { amount, currency, destination, ...params } }) => {
      const transferGroup = params.transfer_group ?? null
      const wanted = { amount, currency, destination, transferGroup, metadata: mergeMetadata({}, params.metadata) }
      return renderTransfer(createTransfer(context, cause, wanted))
    },
  })
  serve(app, options, {
    method: 'GET',
    url: '/transfers',
    params: z.strictObject({
      ...commonShape,
      ...listShape,
      destination: z.string().optional(),
      transfer_group: z.string().optional(),
    }),
    run: ({ params }) =>
      listPage(
        '/v1/transfers',
        context.state.transfers,
        params,
        each =>
          (params.destination === undefined || each.destination === params.destination) &&
          (params.transfer_group === undefined || each.transferGroup === params.transfer_group),
        renderTransfer,
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/transfers/:id',
    params: retrieveParams,
    run: ({ id }) => renderTransfer(getTransfer(context, id)),
  })
  serve(app, options, {
    method: 'POST',
    url: '/transfers/:id/reversals',
    params: z.strictObject({ ...commonShape, amount: integer.optional(), metadata: metadata.optional() }),
    run: ({ id, cause, params }) => {
      const transfer = getTransfer(context, id)
      const wanted = { amount: params.amount, metadata: mergeMetadata({}, params.metadata) }
      return renderReversal(transfer, reverseTransfer(context, cause, transfer, wanted))
    },
  })
}

function payoutRoutes(app: FastifyInstance, options: StripeApiOptions): void {
  const { context } = options
  serve(app, options, {
    method: 'POST',
    url: '/payouts',
    params: z.strictObject({ ...moneyShape, destination: text().optional() }),
    run: ({ cause, account: accountId, params: { amount, currency, destination, metadata: wished } }) => {
      const wanted = { accountId, amount, currency, destination, metadata: mergeMetadata({}, wished) }
      return renderPayout(createPayout(context, cause, wanted))
    },
  })
  serve(app, options, {
    method: 'GET',
    url: '/payouts',
    params: z.strictObject({ ...commonShape, ...listShape, status: z.string().optional() }),
    run: ({ account, params }) =>
      listPage(
        '/v1/payouts',
        context.state.payouts,
        params,
        each => each.accountId === account && (params.status === undefined || each.status === params.status),
        renderPayout,
      ),
  })
  serve(app, options, {
    method: 'GET',
    url: '/payouts/:id',
    params: retrieveParams,
    run: ({ id, account }) => renderPayout(getPayout(context, id, account)),
  })
}
