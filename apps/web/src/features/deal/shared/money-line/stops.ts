/** The stops on the line, from the buyer's end to the seller's. Money at `to_hold` or `to_seller` is on its way and not final. */
export const STOPS = ['buyer', 'to_hold', 'hold', 'to_seller', 'seller'] as const
export type Stop = (typeof STOPS)[number]

/** Percent of the line from the buyer's end. */
export const STOP_POSITION: Record<Stop, number> = { buyer: 0, to_hold: 25, hold: 50, to_seller: 75, seller: 100 }
