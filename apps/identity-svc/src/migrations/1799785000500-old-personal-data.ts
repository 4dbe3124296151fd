import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** Indexes by which old enquiries and browsers are found, which are deleted. */
export class OldPersonalData1799785000500 extends OnlineIndexes {
  readonly name = 'OldPersonalData1799785000500'
  protected readonly indexes = {
    enquiry_by_end: `enquiry ((coalesce(answered_at, created_at))) WHERE state <> 'open'`,
    known_devices_by_use: 'known_devices (used_at)',
  }
}
