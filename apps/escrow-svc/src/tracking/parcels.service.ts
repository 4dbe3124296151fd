import type { TrackingInfo } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { TRACKING_POLL_MS } from '@holdfast/kernel/tracking'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In, LessThanOrEqual } from 'typeorm'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { DealEntity } from '../deals/deal.entity.js'
import { DealsService } from '../deals/deals.service.js'
import { CarrierClient, type Tracker } from './carrier.client.js'
import { claimScan } from './claim-scan.js'
import { ParcelEntity } from './parcel.entity.js'

/** In a demo with short days parcels are asked after more often, but never faster than this. */
const MIN_POLL_MS = 2_000
const DAY_MS = 86_400_000
const MAX_RETRY_MS = 3_600_000

const TRAVELLING: DealStatus[] = ['shipped', 'disputed']
/** Deals under one number that an update is looked up for: more of them is somebody's game, and the poll finds them, too. */
const MAX_DEALS_OF_A_NUMBER = 20

/**
 * Where parcels are, and what their delivery means. The carrier is asked from time to time, and tells by itself; both
 * end here, and what a delivery does to the deal is the deal's own decision.
 */
@Injectable()
export class ParcelsService implements OnApplicationShutdown {
  private readonly log = loggerOf('parcels')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly carrier: CarrierClient,
    private readonly deals: DealsService,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.carrier.end()
  }

  /** Where the parcel of one of the viewer's deals is. Strangers learn nothing. */
  async get(trackingNumber: string, viewerId: string): Promise<z.input<typeof TrackingInfo>> {
    const parcel = await this.parcels
      .createQueryBuilder('p')
      .innerJoin(DealEntity, 't', 't.id = p.transaction_id')
      .where('p.tracking_number = :trackingNumber AND (t.buyer_id = :viewerId OR t.seller_id = :viewerId)', {
        trackingNumber,
        viewerId,
      })
      .orderBy('p.transaction_id', 'DESC')
      .getOne()
    if (!parcel) throw new DomainError('TRACKING_NOT_FOUND')
    const { status, lastUpdate } = parcel
    if (!status || !lastUpdate) throw new DomainError('TRACKING_NOT_FOUND')
    return {
      trackingNumber: parcel.trackingNumber,
      carrier: parcel.carrier,
      status,
      statusDescription: parcel.statusDescription ?? '',
      location: parcel.location,
      estimatedDelivery: parcel.estimatedDelivery?.toISOString() ?? null,
      lastUpdate: lastUpdate.toISOString(),
      delivered: status === 'delivered',
    }
  }

  async due(before: Date, limit: number): Promise<Deadline[]> {
    const rows = await this.parcels.find({
      where: { pollAt: LessThanOrEqual(before) },
      order: { pollAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: String(row.transactionId), dueAt: row.pollAt as Date }))
  }

  /** Asks the carrier about one parcel; one that cannot be asked after is asked later, with growing pauses. */
  async poll(transactionId: number): Promise<void> {
    const parcel = await this.parcels.findOneBy({ transactionId })
    const now = this.clock.now()
    if (!parcel?.pollAt || parcel.pollAt > now) return
    if (!(await this.isTravelling(transactionId))) {
      await this.parcels.update({ transactionId }, { pollAt: null })
      return
    }
    try {
      const tracker = parcel.trackerId
        ? await this.carrier.find(parcel.trackerId)
        : await this.carrier.track(parcel.trackingNumber, parcel.carrier)
      await this.keep(parcel, tracker)
    } catch (error) {
      const pauseMs = Math.min(this.pollMs * 2 ** Math.min(parcel.attempts + 1, 20), MAX_RETRY_MS)
      this.log.warn({ err: error, transactionId, attempts: parcel.attempts + 1 }, 'the carrier could not be asked')
      await this.parcels.update(
        { transactionId },
        { attempts: parcel.attempts + 1, pollAt: new Date(now.getTime() + pauseMs) },
      )
    }
  }

  /** Takes in a signed update from the carrier, for the deals that ship under its number, however they spell it. */
  async receive(raw: Buffer, signature: string | undefined): Promise<void> {
    const tracker = this.carrier.readWebhook(raw, signature)
    if (!tracker) return
    const parcels = await this.parcels
      .createQueryBuilder('p')
      .innerJoin(DealEntity, 't', 't.id = p.transaction_id')
      .where(`p.tracking_key = upper(translate(:trackingNumber, ' -', '')) AND t.status IN (:...travelling)`, {
        trackingNumber: tracker.trackingNumber,
        travelling: TRAVELLING,
      })
      .orderBy('p.saved_at')
      .limit(MAX_DEALS_OF_A_NUMBER)
      .getMany()
    for (const parcel of parcels) await this.keep(parcel, tracker)
  }

  /** Keeps what the carrier says, and moves the deal when it says delivered. News that are older than ours are not news. */
  private async keep(parcel: ParcelEntity, tracker: Tracker): Promise<void> {
    const stale = parcel.lastUpdate !== null && tracker.lastUpdate < parcel.lastUpdate
    const { transactionId, trackingNumber } = parcel
    if (!stale) {
      await this.parcels.update(
        // Under this number only: a corrected number's parcel is another parcel.
        { transactionId, trackingNumber },
        {
          trackerId: tracker.id,
          carrier: parcel.carrier ?? tracker.carrier,
          status: tracker.status,
          statusDescription: tracker.description,
          location: tracker.location,
          estimatedDelivery: tracker.estimatedDelivery,
          lastUpdate: tracker.lastUpdate,
          deliveredAt: tracker.deliveredAt,
          attempts: 0,
        },
      )
      if (tracker.estimatedDelivery)
        await this.dataSource.query('UPDATE transaction SET expected_delivery = $2 WHERE id = $1', [
          transactionId,
          tracker.estimatedDelivery,
        ])
    }
    // The deal first: if this fails, the parcel is still due and asked after again.
    const scannedAt = tracker.status === 'delivered' ? tracker.deliveredAt : null
    if (scannedAt && (await claimScan(this.dataSource, parcel, scannedAt)))
      await this.deals.recordDelivery(transactionId, {
        trackingNumber,
        scannedAt,
        carrier: tracker.carrier ?? 'carrier',
      })
    // A delivery may not count: one from before the payment, or while a dispute holds the deal. What comes later may.
    const goesOn = await this.isTravelling(transactionId)
    const pollAt = goesOn ? new Date(this.clock.now().getTime() + this.pollMs) : null
    await this.parcels.update({ transactionId, trackingNumber }, { pollAt })
  }

  /** Only a deal that waits for its parcel asks after it; one in dispute still wants to know. */
  private isTravelling(id: number): Promise<boolean> {
    return this.dataSource.getRepository(DealEntity).existsBy({ id, status: In(TRAVELLING) })
  }

  private get pollMs(): number {
    return Math.max(
      MIN_POLL_MS,
      Math.min(TRACKING_POLL_MS, (this.config.DAY_SECONDS * 1000 * TRACKING_POLL_MS) / DAY_MS),
    )
  }

  private get parcels() {
    return this.dataSource.getRepository(ParcelEntity)
  }
}
