import { CURRENT_FEE_SCHEDULE, FEE_SCHEDULES, PREMIUM_MONTHLY_MINOR, PREMIUM_YEARLY_MINOR } from '@holdfast/kernel/fees'
import { displayMinor } from '@holdfast/kernel/money'
import type { Plan } from '@holdfast/kernel/users'

const MONTHS = 12n

/** "$30": whole dollars without cents. */
const dollars = (minor: bigint) => displayMinor(minor, 'USD').replace('.00', '')
const percent = (plan: Plan) => `${(FEE_SCHEDULES[CURRENT_FEE_SCHEDULE].planBasisPoints[plan] / 100).toFixed(1)}%`

/** What each side pays by its plan, as the pages write it: "1.5%", "1.0%". */
export const PLAN_FEES: Record<Plan, string> = { standard: percent('standard'), premium: percent('premium') }

/** What a month of Premium costs when it is billed monthly, and when it is billed yearly. */
export const PREMIUM_MONTHLY = dollars(PREMIUM_MONTHLY_MINOR)
export const PREMIUM_MONTH_OF_YEAR = dollars(PREMIUM_YEARLY_MINOR / MONTHS)

/** "$30 a month, or $20 a month billed yearly" */
export const PREMIUM_PRICE = `${PREMIUM_MONTHLY} a month, or ${PREMIUM_MONTH_OF_YEAR} a month billed yearly`

/** The fees of the plans in two sentences. */
export const FEES_SENTENCE = `Standard is ${PLAN_FEES.standard} for the seller and ${PLAN_FEES.standard} for the buyer. Premium reduces that to ${PLAN_FEES.premium} each, at ${PREMIUM_PRICE}.`
