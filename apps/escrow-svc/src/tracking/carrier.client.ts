import { createHmac } from 'node:crypto'
import { DomainError } from '@holdfast/kernel/errors'
import { cleanLine } from '@holdfast/kernel/text'
import type { TrackingStatus } from '@holdfast/kernel/tracking'
import { findUnstorable } from '@holdfast/service-kit/http/storable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { Pool } from 'undici'
import { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { measured } from '../provider/request-metrics.js'
import { assertSameSignature, readSigned } from '../webhook-secrets.js'
import { carrierCode } from './carrier-codes.js'
import { describeParcel } from './parcel-description.js'

const CONNECTIONS = 4
const TIMEOUT_MS = 5_000
const MAX_ANSWER_BYTES = 512 * 1024

/** What the aggregator knows of a parcel. */
export interface Tracker {
  readonly id: string
  readonly trackingNumber: string
  readonly carrier: string | null
  readonly status: TrackingStatus
  /** For people, never a code. */
  readonly description: string
  readonly location: string | null
  readonly estimatedDelivery: Date | null
  readonly lastUpdate: Date
  /** The time of the delivery scan, not the time at which we received it. */
  readonly deliveredAt: Date | null
}

/** Later years are written with a sign, which our contracts refuse: a deal with such a date could not be shown at all. */
const LAST_TIME = new Date('9999-12-31T23:59:59.999Z')
const Time = z.string().pipe(z.coerce.date<string>().max(LAST_TIME))
const Line = z.string().overwrite(cleanLine)
const Place = z.object({ city: Line.nullish(), state: Line.nullish(), country: Line.nullish() })
const TrackerAnswer = z.object({
  id: z.string(),
  tracking_code: z.string(),
  carrier: Line.nullish(),
  status: z.string(),
  status_detail: Line.nullish(),
  est_delivery_date: Time.nullish(),
  updated_at: Time,
  tracking_details: z
    .array(
      z.object({
        message: Line.nullish(),
        status: z.string(),
        datetime: Time,
        tracking_location: Place.nullish(),
      }),
    )
    .default([]),
})
const Kind = z.object({ description: z.string() })
const WebhookBody = z.object({ result: TrackerAnswer })

/** Our status for each of the aggregator's. A status that we do not know becomes `exception`, which changes no deal. */
const STATUSES: Record<string, TrackingStatus> = {
  unknown: 'pre_transit',
  pre_transit: 'pre_transit',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  available_for_pickup: 'out_for_delivery',
  delivered: 'delivered',
}

/** The aggregator does not accept the parameters of a call. */
class ParametersRefused extends Error {}
const PARAMETERS_REFUSED = [400, 422]

/** Calls a carrier aggregator with EasyPost's tracker API, version 2. The aggregator knows all carriers. */
@Injectable()
export class CarrierClient {
  private readonly pool: Pool

  constructor(@Inject(CONFIG) private readonly config: EscrowConfig) {
    this.pool = new Pool(config.CARRIER_API_URL, {
      connections: CONNECTIONS,
      connect: { timeout: TIMEOUT_MS },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
  }

  /**
   * The tracker of a tracking number. The aggregator creates one for a number that it does not know yet. It finds the carrier by the number
   * when the carrier's name is not known, or when it refuses the number for that carrier.
   *
   * @param carrier as a person wrote it
   */
  async track(trackingNumber: string, carrier: string | null): Promise<Tracker> {
    const code = carrier && carrierCode(carrier)
    if (!code) return this.create(trackingNumber)
    try {
      return await this.create(trackingNumber, code)
    } catch (error) {
      if (error instanceof ParametersRefused) return this.create(trackingNumber)
      throw error
    }
  }

  private create(trackingNumber: string, carrier?: string): Promise<Tracker> {
    return this.call('POST', '/v2/trackers', {
      tracker: { tracking_code: trackingNumber, ...(carrier && { carrier }) },
    })
  }

  /** The tracker with this id. */
  find(trackerId: string): Promise<Tracker> {
    return this.call('GET', `/v2/trackers/${encodeURIComponent(trackerId)}`)
  }

  /**
   * Reads a signed webhook event; null when it is not a tracker update.
   *
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`; `MALFORMED_REQUEST` for an update that cannot be read
   */
  readWebhook(raw: Buffer, signature: string | undefined): Tracker | null {
    const given = Buffer.from(signature ?? '')
    const { CARRIER_WEBHOOK_SECRET } = this.config
    readSigned({ CARRIER_WEBHOOK_SECRET }, secret => {
      const digest = createHmac('sha256', secret.normalize('NFKD')).update(raw).digest('hex')
      assertSameSignature(given, Buffer.from(`hmac-sha256-hex=${digest}`))
    })
    const json = parseJson(raw)
    if (Kind.safeParse(json).data?.description !== 'tracker.updated') return null
    const parsed = WebhookBody.safeParse(json)
    if (!parsed.success || findUnstorable(json)) throw new DomainError('MALFORMED_REQUEST')
    return toTracker(parsed.data.result)
  }

  async end(): Promise<void> {
    await this.pool.close()
  }

  /** @throws Error when the aggregator cannot be reached or its answer cannot be read */
  private async call(method: 'GET' | 'POST', path: string, body?: object): Promise<Tracker> {
    const authorization = `Basic ${Buffer.from(`${this.config.CARRIER_API_KEY}:`).toString('base64')}`
    const send = async () => {
      const response = await this.pool.request({
        method,
        path,
        headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
      })
      return { statusCode: response.statusCode, text: await response.body.text() }
    }
    const { statusCode, text } = await measured(
      { provider: 'carrier', method, path },
      send,
      answer => answer.statusCode,
    )
    const message = `the carrier answered ${statusCode} to ${method} ${path}`
    if (PARAMETERS_REFUSED.includes(statusCode)) throw new ParametersRefused(message)
    if (statusCode >= 300 || text.length > MAX_ANSWER_BYTES) throw new Error(message)
    return toTracker(TrackerAnswer.parse(JSON.parse(text)))
  }
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new DomainError('MALFORMED_REQUEST')
    throw error
  }
}

function toTracker(answer: z.output<typeof TrackerAnswer>): Tracker {
  const scans = answer.tracking_details
  const last = scans.at(-1)
  const place = last?.tracking_location
  // Carriers reuse tracking numbers, so only the newest delivery can be this parcel's.
  const delivered = scans.findLast(scan => scan.status === 'delivered')
  const status = STATUSES[answer.status] ?? 'exception'
  return {
    id: answer.id,
    trackingNumber: answer.tracking_code,
    carrier: answer.carrier ?? null,
    status,
    description: describeParcel(status, last?.message, answer.status_detail),
    location: [place?.city, place?.state, place?.country].filter(Boolean).join(', ') || null,
    estimatedDelivery: answer.est_delivery_date ?? null,
    lastUpdate: last?.datetime ?? answer.updated_at,
    deliveredAt: delivered?.datetime ?? null,
  }
}
