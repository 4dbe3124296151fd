/** What the parties of a completed deal say about each other. */

export const RATINGS = [1, 2, 3, 4, 5] as const
export type Rating = (typeof RATINGS)[number]

export const MAX_REVIEW_LENGTH = 1_000
