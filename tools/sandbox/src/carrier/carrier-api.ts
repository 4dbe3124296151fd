import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.js'
import type { Faults } from '../control/faults.js'
import { basicUser, sameText } from '../http/keys.js'
import { detectCarrier, isCarrier } from './carriers.js'
import { parcelId, track } from './parcels.js'
import { renderTracker } from './render.js'

const MAX_PAGE = 100
const MAX_CODE_LENGTH = 60
/** The carrier of a number of no known form. EasyPost refuses such a number. Here a person can try any. */
const UNKNOWN_CARRIER = 'Unknown'

const wanted = z.object({
  tracking_code: z.string().trim().min(1).max(MAX_CODE_LENGTH),
  carrier: z.string().trim().max(MAX_CODE_LENGTH).optional(),
})
/** The aggregator's SDKs wrap the parameters in `tracker`; its documentation also shows them bare. */
const createBody = z.union([z.object({ tracker: wanted }).transform(body => body.tracker), wanted])
const listQuery = z.object({
  tracking_code: z.string().max(MAX_CODE_LENGTH).optional(),
  carrier: z.string().max(MAX_CODE_LENGTH).optional(),
  page_size: z.coerce.number().int().min(1).max(MAX_PAGE).default(20),
})

class CarrierError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** The carrier aggregator's API under `/v2`, in the shape of EasyPost's trackers. */
export async function carrierApi(
  app: FastifyInstance,
  { context, faults }: { context: Context; faults: Faults },
): Promise<void> {
  const { state } = context
  app.setErrorHandler((error, request, reply) => {
    const known = asCarrierError(error)
    if (known.status >= 500) request.log.error({ err: error }, 'a call to the carrier failed')
    return reply.code(known.status).send({ error: { code: known.code, message: known.message, errors: [] } })
  })
  app.addHook('preHandler', async (request, reply) => {
    const key = basicUser(request.headers.authorization)
    if (key === undefined || !sameText(key, context.config.carrierKey)) {
      throw new CarrierError(401, 'APIKEY.INACTIVE', 'This api key is no longer active.')
    }
    const fault = faults.take(request.method, request.url)
    const delayMs = state.settings.latencyMs + (fault?.delayMs ?? 0)
    if (delayMs > 0) await sleep(delayMs)
    if (fault?.kind === 'rate_limit') throw new CarrierError(429, 'RATE_LIMITED', 'Too many requests.')
    if (fault?.kind === 'error' || fault?.kind === 'error_after') {
      throw new CarrierError(500, 'INTERNAL_SERVER_ERROR', 'This error was set at the sandbox.')
    }
    if (fault?.kind === 'refuse' || fault?.kind === 'lose_answer') {
      reply.hijack()
      request.raw.socket.destroy()
    }
  })

  app.post('/trackers', async (request, reply) => {
    const { tracking_code, carrier } = parse(createBody, request.body)
    const tracker = track(context, tracking_code, carrierOf(tracking_code, carrier))
    await state.commit()
    return reply.code(201).send(renderTracker(context, tracker))
  })
  app.get('/trackers', async request => {
    const { tracking_code, carrier, page_size } = parse(listQuery, request.query)
    const found = state.trackers
      .newestFirst()
      .filter(each => tracking_code === undefined || each.parcelId === parcelId(tracking_code))
      .filter(each => carrier === undefined || each.carrier.toLowerCase() === carrier.toLowerCase())
    const trackers = found.slice(0, page_size).map(each => renderTracker(context, each))
    return { trackers, has_more: found.length > page_size }
  })
  app.get<{ Params: { id: string } }>('/trackers/:id', async request => {
    const tracker = state.trackers.get(request.params.id)
    if (!tracker) throw new CarrierError(404, 'NOT_FOUND', 'The requested resource could not be found.')
    return renderTracker(context, tracker)
  })
}

/** @throws CarrierError when the named carrier is not known, or the number is another carrier's by its form */
function carrierOf(trackingNumber: string, named: string | undefined): string {
  const detected = detectCarrier(trackingNumber)
  if (!named) return detected ?? UNKNOWN_CARRIER
  if (!isCarrier(named)) throw new CarrierError(422, 'TRACKER.UNSUPPORTED_CARRIER', 'The carrier is not supported.')
  if (detected && detected !== named)
    throw new CarrierError(
      422,
      'TRACKER.CARRIER_CODE_MISMATCH',
      'The tracking number does not belong to the carrier you specified.',
    )
  return named
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  throw new CarrierError(422, 'PARAMETER.INVALID', `${issue.path.join('.') || 'body'}: ${issue.message}`)
}

function asCarrierError(error: unknown): CarrierError {
  if (error instanceof CarrierError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500) return new CarrierError(status, 'BAD_REQUEST', String(error))
  return new CarrierError(500, 'INTERNAL_SERVER_ERROR', 'Something went wrong in the sandbox.')
}
