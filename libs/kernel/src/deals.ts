/** The vocabulary of a deal: its statuses, its parties and how many a person may open (spec sections 4 and 9). */

export const DEAL_STATUSES = [
  'pending',
  'secured',
  'in_progress',
  'paid',
  'shipped',
  'delivered',
  'inspection',
  'released',
  'completed',
  'cancelled',
  'disputed',
] as const
export type DealStatus = (typeof DEAL_STATUSES)[number]

/** Finished and cancelled deals are over; every other one is active (dashboard figures). */
export const isFinished = (status: DealStatus) => status === 'released' || status === 'completed'
export const isActive = (status: DealStatus) => !isFinished(status) && status !== 'cancelled'

export const PARTY_ROLES = ['buyer', 'seller'] as const
export type PartyRole = (typeof PARTY_ROLES)[number]

/** How many deals that are not paid yet one person may have opened. Each of them takes its listing off sale. */
export const MAX_UNPAID_DEALS = 50
