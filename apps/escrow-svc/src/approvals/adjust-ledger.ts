import type { AdjustmentPreview } from '@holdfast/contracts/admin-escrow'
import { CurrencyCode } from '@holdfast/contracts/fields'
import { invalidFields } from '@holdfast/kernel/errors'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { type Account, ADJUSTABLE_KINDS } from '@holdfast/kernel/ledger'
import { findAmount, formatAmount, parseAmount } from '@holdfast/kernel/money'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { z } from 'zod'
import { adjustment } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { balanceOf } from '../ledger/statements.js'
import type { ActImpact, ActingAdmin, ActResult, GuardedAct } from './guarded-act.js'

const Input = z.object({ debit: z.string(), credit: z.string(), amount: z.string(), currency: CurrencyCode })
export type AdjustmentInput = z.infer<typeof Input>

/** An operator posts an entry by hand. It belongs to no deal, so the balances on the deals stay equal to their postings. */
@Injectable()
export class AdjustLedger implements GuardedAct {
  readonly kind = 'ledger.adjust'

  /** @throws DomainError `VALIDATION_FAILED` that names each wrong field: an account that must not be adjusted, or the amount */
  async impactOf(dbTx: EntityManager, input: unknown): Promise<ActImpact> {
    const { debit, credit, amount, currency } = Input.parse(input)
    const refused: Record<string, string> = {}
    for (const [field, account] of Object.entries({ debit, credit })) {
      const why = whyNotAdjustable(account) ?? (await whyNoSeller(dbTx, account))
      if (why) refused[field] = why
    }
    if (debit === credit) refused.credit = 'Must be another account than the debited one'
    const amountMinor = findAmount(amount, currency) ?? 0n
    if (amountMinor === 0n) refused.amount = 'Must be an amount above zero, in dollars and cents'
    if (Object.keys(refused).length > 0) throw invalidFields(refused)
    const parties = [debit, credit].map(ownerOf).filter(owner => owner !== null)
    return { subject: `account:${debit}`, otherSubject: `account:${credit}`, amountMinor, currency, parties }
  }

  async perform(dbTx: EntityManager, input: unknown, { at }: ActingAdmin): Promise<ActResult> {
    const given = Input.parse(input)
    const { debit, credit, amount, currency } = given
    const before = await balances(dbTx, given)
    const entry = adjustment(debit as Account, credit as Account, parseAmount(amount, currency))
    const entryId = await postEntry(dbTx, null, currency, entry, at)
    return { before, after: { ...(await balances(dbTx, given)), entryId } }
  }

  /** What both accounts have, and what they would have after an adjustment that `impactOf` has found possible. */
  async preview(dbTx: EntityManager, input: AdjustmentInput): Promise<Omit<AdjustmentPreview, 'needsApproval'>> {
    const { debit, credit, currency } = input
    const amountMinor = parseAmount(input.amount, currency)
    const change = async (account: string, byMinor: bigint) => {
      const beforeMinor = await balanceOf(dbTx, account, currency)
      const [before, after] = [beforeMinor, beforeMinor + byMinor].map(minor => formatAmount(minor, currency))
      return { account, before: before!, after: after! }
    }
    return { debit: await change(debit, -amountMinor), credit: await change(credit, amountMinor), currency }
  }
}

/** The balances of both accounts by their names. */
const balances = async (dbTx: EntityManager, { debit, credit, currency }: AdjustmentInput) => ({
  [debit]: formatAmount(await balanceOf(dbTx, debit, currency), currency),
  [credit]: formatAmount(await balanceOf(dbTx, credit, currency), currency),
})

/** Whose account it is; null for one of the product's own. */
const ownerOf = (account: string): string | null => account.split(':')[1] ?? null

/**
 * Why an account cannot be adjusted although it has the form of a seller's account; null when it can. Every user since their
 * registration has a row in `payout_account`, and a user of an older release who has sold something has a deal.
 */
async function whyNoSeller(dbTx: EntityManager, account: string): Promise<string | null> {
  const owner = ownerOf(account)
  if (owner === null) return null
  const [row]: { known: boolean }[] = await dbTx.query(KNOWN_SELLER, [owner])
  return row!.known ? null : 'No user has this id'
}

const KNOWN_SELLER = `SELECT EXISTS (SELECT FROM payout_account WHERE user_id = $1)
  OR EXISTS (SELECT FROM transaction WHERE seller_id = $1) AS known`

/** Why an account cannot be adjusted; null when it can. */
function whyNotAdjustable(account: string): string | null {
  const [kind] = account.split(':')
  if (!ADJUSTABLE_KINDS.some(each => each === kind)) return `Only ${ADJUSTABLE_KINDS.join(', ')} can be adjusted`
  const owner = ownerOf(account)
  if (kind === 'seller_payable') return owner && UUID_PATTERN.test(owner) ? null : 'Name the seller behind the colon'
  return owner === null ? null : 'This account has no owner: leave the colon out'
}
