/**
 * What only the company that runs Holdfast can say of itself. A claim that is null is not made: the pages then say what
 * the product itself does. Fill it in here with what can be shown to be true.
 */
interface Operator {
  /** Who holds the money, as a part of a sentence: "First Example Trust, a federally chartered custodian". */
  readonly custodian: string | null
  /** Measured figures for the landing page; null where nothing was measured. */
  readonly figures: Readonly<
    Record<'activeUsers' | 'transactionsProtected' | 'successRate' | 'countriesServed', string | null>
  >
  /** Standards that were audited, beside those that the product keeps by its construction. */
  readonly auditedStandards: readonly string[]
  /** How soon support and sales answer: "within 24 hours". */
  readonly answerTime: string | null
}

export const operator: Operator = {
  custodian: null,
  figures: { activeUsers: null, transactionsProtected: null, successRate: null, countriesServed: null },
  auditedStandards: [],
  answerTime: null,
}

/** Where held money lies, as a part of a sentence. */
export const HELD_BY = operator.custodian ?? 'Holdfast, in its account at the payment provider'
