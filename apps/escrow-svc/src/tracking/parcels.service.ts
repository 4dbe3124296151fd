import type { Parsed } from '@holdfast/contracts/route'
import type { transactionInternalRoutes } from '@holdfast/contracts/transaction-internal-routes'
import type { TrackingInfo } from '@holdfast/contracts/transactions'
import { pauseAfter } from '@holdfast/kernel/backoff'
import type { DealStatus } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_SCAN_AHEAD_MS, TRACKING_POLL_MS } from '@holdfast/kernel/tracking'
import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In } from 'typeorm'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { DealEntity } from '../deals/deal.entity.js'
import { DealsService } from '../deals/deals.service.js'
import { CarrierClient, type Tracker } from './carrier.client.js'
import { claimScan, isNumberOfDeal } from './claim-scan.js'
import { ParcelEntity } from './parcel.entity.js'

/** In a demo with short days the carrier is polled more often, but not more often than this. */
const MIN_POLL_MS = 2_000
const DAY_MS = 86_400_000
const MAX_RETRY_MS = 3_600_000

type TrackedParcel = Parsed<typeof transactionInternalRoutes.trackParcel>['body']

/** The deals that wait for their parcel. The parcel of a disputed deal is still of interest to its parties. */
const WAITING_FOR_PARCEL: DealStatus[] = ['shipped', 'disputed']
/** An update is applied to at most so many deals with its tracking number. More is abuse, and polling updates the rest. */
const MAX_DEALS_OF_A_NUMBER = 20

/** The deal shows when its parcel is expected. A late answer about a number that was corrected since is of another parcel. */
const EXPECT_DELIVERY = `UPDATE transaction SET expected_delivery = $3
  WHERE id = $1 AND tracking_number = $2 AND expected_delivery IS DISTINCT FROM $3::timestamptz`

/**
 * Follows parcels. It polls the carrier, and the carrier also sends updates. A reported delivery is passed on to
 * `DealsService`, which decides what it does to the deal.
 */
@Injectable()
export class ParcelsService implements OnApplicationShutdown {
  private readonly log = loggerOf('parcels')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly carrier: CarrierClient,
    private readonly deals: DealsService,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.carrier.end()
  }

  /**
   * The parcel with a tracking number, if a deal of the viewer uses the number.
   *
   * @throws DomainError `TRACKING_NOT_FOUND`, also before the carrier has reported anything
   */
  async get(trackingNumber: string, viewerId: string): Promise<z.input<typeof TrackingInfo>> {
    const parcel = await this.parcels
      .createQueryBuilder('p')
      .innerJoin(DealEntity, 'deal', 'deal.id = p.transaction_id')
      .where('p.tracking_number = :trackingNumber AND (deal.buyer_id = :viewerId OR deal.seller_id = :viewerId)', {
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

  /**
   * Asks the carrier when a parcel was delivered that belongs to no deal. Null while it is not, and when the number was that of a deal's
   * parcel before `shippedAt`. A scan that is dated too far ahead is not believed; another that is dated ahead counts as one of now.
   *
   * @throws DomainError `UNAVAILABLE` when the carrier cannot be asked
   */
  async track({ trackingNumber, carrier, shippedAt }: TrackedParcel): Promise<{ deliveredAt: string | null }> {
    if (shippedAt !== undefined && (await isNumberOfDeal(this.dataSource, trackingNumber, shippedAt)))
      return { deliveredAt: null }
    let tracker: Tracker
    try {
      tracker = await this.carrier.track(trackingNumber, carrier)
    } catch (error) {
      this.log.warn({ err: error }, 'the carrier could not be asked about a returned parcel')
      throw new DomainError('UNAVAILABLE')
    }
    const now = await databaseTime(this.dataSource)
    if (tracker.status !== 'delivered' || !tracker.deliveredAt || !isBelievable(tracker, now))
      return { deliveredAt: null }
    return { deliveredAt: earlier(tracker.deliveredAt, now).toISOString() }
  }

  /** The deals whose parcel is to be polled within a time from now. The earliest due time comes first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.parcels.find({
      where: { pollAt: dueWithin(aheadMs) },
      order: { pollAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: String(row.transactionId), dueAt: row.pollAt as Date }))
  }

  /** Polls the carrier about the parcel of one deal. After a fault it polls again later, with growing pauses. */
  async poll(dealId: number): Promise<void> {
    const parcel = await this.parcels.findOneBy({ transactionId: dealId, pollAt: dueWithin(0) })
    if (!parcel) return
    if (!(await this.isAwaited(dealId))) {
      await this.parcels.update({ transactionId: dealId }, { pollAt: null })
      return
    }
    try {
      await this.apply(parcel, await this.askCarrier(parcel))
    } catch (error) {
      await this.postpone(parcel, error)
    }
  }

  /**
   * Asks the carrier about the parcel of a deal now. A delivery that it reports is passed on to the deal.
   *
   * @returns false when the carrier could not be asked or its report is not believed; true also for a deal without a parcel
   */
  async ask(dealId: number): Promise<boolean> {
    const parcel = await this.parcels.findOneBy({ transactionId: dealId })
    if (!parcel) return true
    let tracker: Tracker
    try {
      tracker = await this.askCarrier(parcel)
    } catch (error) {
      this.log.warn({ err: error, transactionId: dealId }, 'the carrier could not be asked about an overdue parcel')
      return false
    }
    return this.apply(parcel, tracker)
  }

  /** @throws Error when the carrier cannot be reached or its answer cannot be read */
  private askCarrier({ trackerId, trackingNumber, carrier }: ParcelEntity): Promise<Tracker> {
    return trackerId ? this.carrier.find(trackerId) : this.carrier.track(trackingNumber, carrier)
  }

  /**
   * Handles a signed update of the carrier, for every deal with its tracking number. Spaces, dashes and case do not count.
   *
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`, `MALFORMED_REQUEST`
   */
  async receive(raw: Buffer, signature: string | undefined): Promise<void> {
    const tracker = this.carrier.readWebhook(raw, signature)
    if (!tracker) return
    const parcels = await this.parcels
      .createQueryBuilder('p')
      .innerJoin(DealEntity, 'deal', 'deal.id = p.transaction_id')
      .where(`p.tracking_key = upper(translate(:trackingNumber, ' -', '')) AND deal.status IN (:...waiting)`, {
        trackingNumber: tracker.trackingNumber,
        waiting: WAITING_FOR_PARCEL,
      })
      .orderBy('p.saved_at')
      .limit(MAX_DEALS_OF_A_NUMBER)
      .getMany()
    for (const parcel of parcels) await this.apply(parcel, tracker)
  }

  /**
   * Records the carrier's report, passes a delivery on to the deal, and sets the next poll. The next poll is set last: if an
   * earlier step fails, the parcel is still due. After a report that is not believed, the carrier is polled again.
   *
   * @returns whether the report is believed
   */
  private async apply(parcel: ParcelEntity, tracker: Tracker): Promise<boolean> {
    const now = await databaseTime(this.dataSource)
    const isBelieved = isBelievable(tracker, now)
    if (isBelieved) await this.applyScans(parcel, tracker, now)
    else
      this.log.warn(
        { transactionId: parcel.transactionId, lastUpdate: tracker.lastUpdate },
        'the carrier reports a scan that is dated too far in the future',
      )
    // A delivery may not count, because it is older than the payment or the deal is in dispute. A later one may.
    const pollAt = (await this.isAwaited(parcel.transactionId)) ? fromNow(this.pollMs) : null
    await this.parcels.update(keyOf(parcel), { pollAt })
    return isBelieved
  }

  /**
   * A scan that is dated ahead is recorded under another time (`timesToRecord`). Its own time identifies it, so that it counts for one deal
   * only, however often it is reported.
   */
  private async applyScans(parcel: ParcelEntity, tracker: Tracker, now: Date): Promise<void> {
    const times = timesToRecord(parcel, tracker, now)
    const isOutdated = parcel.lastUpdate !== null && times.lastUpdate < parcel.lastUpdate
    if (!isOutdated) await this.record(parcel, { ...tracker, ...times })
    if (tracker.status === 'delivered' && tracker.deliveredAt)
      await this.recordDelivery(parcel, tracker, tracker.deliveredAt)
  }

  private async record(parcel: ParcelEntity, tracker: Tracker): Promise<void> {
    await this.parcels.update(keyOf(parcel), {
      trackerId: tracker.id,
      carrier: parcel.carrier ?? tracker.carrier,
      status: tracker.status,
      statusDescription: tracker.description,
      location: tracker.location,
      estimatedDelivery: tracker.estimatedDelivery,
      lastUpdate: tracker.lastUpdate,
      deliveredAt: tracker.deliveredAt,
      attempts: 0,
    })
    await this.dataSource.query(EXPECT_DELIVERY, [
      parcel.transactionId,
      parcel.trackingNumber,
      tracker.estimatedDelivery,
    ])
  }

  /** Starts the inspection now, if the scan counts for this deal. */
  private async recordDelivery(parcel: ParcelEntity, tracker: Tracker, scannedAt: Date): Promise<void> {
    if (!(await claimScan(this.dataSource, parcel, scannedAt))) return
    const { transactionId, trackingNumber } = parcel
    await this.deals.recordDelivery(transactionId, { trackingNumber, scannedAt, carrier: tracker.carrier ?? 'carrier' })
  }

  /** Sets the next poll after a fault. The pause doubles with each attempt. */
  private async postpone(parcel: ParcelEntity, error: unknown): Promise<void> {
    const { transactionId, attempts } = parcel
    const pauseMs = pauseAfter(attempts + 2, { firstMs: this.pollMs, longestMs: MAX_RETRY_MS })
    this.log.warn({ err: error, transactionId, attempts: attempts + 1 }, 'the carrier could not be polled')
    await this.parcels.update(keyOf(parcel), { attempts: attempts + 1, pollAt: fromNow(pauseMs) })
  }

  private isAwaited(dealId: number): Promise<boolean> {
    return this.dataSource.getRepository(DealEntity).existsBy({ id: dealId, status: In(WAITING_FOR_PARCEL) })
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

/** Finds the parcel only while it has this number: after a correction the deal's parcel is another one. */
const keyOf = ({ transactionId, trackingNumber }: ParcelEntity) => ({ transactionId, trackingNumber })

function isBelievable({ lastUpdate, deliveredAt }: Tracker, now: Date): boolean {
  const latest = now.getTime() + MAX_SCAN_AHEAD_MS
  return lastUpdate.getTime() <= latest && (deliveredAt === null || deliveredAt.getTime() <= latest)
}

/**
 * The times under which a report is recorded. One that is dated ahead is of `now`, because a later time would hide the true reports that
 * follow. When it is reported again, it keeps the time at which it was first reported.
 */
function timesToRecord(parcel: ParcelEntity, tracker: Tracker, now: Date): Pick<Tracker, 'lastUpdate' | 'deliveredAt'> {
  const isRepeated =
    parcel.status === tracker.status &&
    parcel.statusDescription === tracker.description &&
    parcel.location === tracker.location
  const timeOf = (given: Date, recorded: Date | null) =>
    given > now && isRepeated && recorded ? recorded : earlier(given, now)
  return {
    lastUpdate: timeOf(tracker.lastUpdate, parcel.lastUpdate),
    deliveredAt: tracker.deliveredAt && timeOf(tracker.deliveredAt, parcel.deliveredAt),
  }
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other)
