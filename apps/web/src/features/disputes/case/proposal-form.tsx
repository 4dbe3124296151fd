import { routes } from 'virtual:routes'
import type { DisputeCase, Proposal } from '@holdfast/contracts/disputes'
import type { SettlementTerms } from '@holdfast/contracts/transactions'
import type { DisputeRole } from '@holdfast/kernel/disputes'
import { displayAmount } from '@holdfast/kernel/money'
import { useState } from 'react'
import { AmountField } from '../../../components/amount-field.js'
import { Button } from '../../../components/button.js'
import { Form } from '../../../components/form.js'
import { refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { AcceptDialog, SETTLED } from './accept-dialog.js'
import { paramsOf, useCaseCommand } from './case.js'
import { nameOf, otherSide } from './people.js'
import { heldPrice, splitAt } from './split.view.js'
import { SplitPreview } from './split-preview.js'
import { settlementFault, typedAmount } from './typed-refund.js'

interface ProposalFormProps {
  dispute: DisputeCase
  terms: SettlementTerms
}

/** Proposes what the buyer gets back, and shows before the button what each would get. */
export default function ProposalForm({ dispute, terms }: ProposalFormProps) {
  const [accepting, setAccepting] = useState(false)
  const form = useForm<{ readonly refundAmount: string }>({
    initial: { refundAmount: '' },
    validate: ({ refundAmount }) => ({ refundAmount: settlementFault(terms, refundAmount) }),
  })
  const propose = useCaseCommand(routes.proposeSettlement, dispute, {
    whether: 'the settlement was proposed',
    // The other party may have proposed the same amount at the same moment.
    done: ({ status }) => (status === 'closed' ? SETTLED : ['Settlement proposed']),
    refused: 'The settlement was not proposed',
  })
  const amount = typedAmount(terms, form.values.refundAmount)
  const split = splitAt(terms, amount)
  const theirs = openProposal(dispute, role => role !== dispute.viewerRole)
  const own = openProposal(dispute, role => role === dispute.viewerRole)
  const equalsTheirs = theirs !== undefined && amount === theirs.refundAmount
  const equalsOwn = own !== undefined && amount === own.refundAmount
  const other = otherSide(dispute.viewerRole)
  const theirSplit = theirs && splitAt(terms, theirs.refundAmount)

  async function submit() {
    // The same amount accepts: that is asked about first.
    if (equalsTheirs) return setAccepting(true)
    if (amount === undefined) return
    const outcome = await propose.give({ params: paramsOf(dispute), body: { refundAmount: amount } })
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    form.reset({ refundAmount: '' })
  }

  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      <AmountField
        label={`What ${nameOf('buyer', dispute)} ${dispute.viewerRole === 'buyer' ? 'get' : 'gets'} back`}
        hint={`From $0.00 to ${displayAmount(heldPrice(terms), terms.currency)}, the price that is held.`}
        {...form.field('refundAmount')}
        typed={form.values.refundAmount}
        currency={terms.currency}
        required
        className="max-w-xs"
      />
      <div role="status" className="min-h-6">
        {split ? (
          <SplitPreview dispute={dispute} split={split} />
        ) : (
          <p className="text-sm text-ink-soft">Enter an amount to see what each of you would get, fees included.</p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" kind={theirs === undefined || equalsTheirs ? 'primary' : 'quiet'} busy={propose.busy}>
          {propose.busy ? 'Proposing...' : buttonWords(theirs !== undefined, equalsTheirs)}
        </Button>
        {other && (
          <p className="text-sm text-ink-soft">
            {equalsTheirs
              ? `${dispute[other].firstName} proposes the same amount.`
              : equalsOwn
                ? `You have proposed this amount already. ${dispute[other].firstName} has not answered yet.`
                : `Nothing moves until ${dispute[other].firstName} agrees.`}
          </p>
        )}
      </div>
      {theirSplit && theirs && (
        <AcceptDialog
          open={accepting}
          onClose={() => setAccepting(false)}
          dispute={dispute}
          proposal={theirs}
          split={theirSplit}
        />
      )}
    </Form>
  )
}

function buttonWords(hasTheirs: boolean, equalsTheirs: boolean): string {
  if (equalsTheirs) return 'Accept and Settle'
  return hasTheirs ? 'Propose Another Amount' : 'Propose Settlement'
}

/** The proposal that waits, of one side. */
const openProposal = ({ proposals }: DisputeCase, isOf: (role: DisputeRole) => boolean): Proposal | undefined =>
  proposals.find(({ state, role }) => state === 'open' && isOf(role))
