import type { DisputeCase } from '@holdfast/contracts/disputes'
import type { SettlementTerms } from '@holdfast/contracts/transactions'
import {
  type DisputeStep,
  MAX_DISPUTE_REASONS_LENGTH,
  RULING_OUTCOMES,
  type RulingOutcome,
} from '@holdfast/kernel/disputes'
import { displayAmount } from '@holdfast/kernel/money'
import { useState } from 'react'
import { AmountField } from '../../../components/amount-field.js'
import { Button } from '../../../components/button.js'
import { Field, Fieldset } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Textarea } from '../../../components/input.js'
import { Notice } from '../../../components/notice.js'
import { classes } from '../../../lib/class-names.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useDraft } from '../../../lib/use-draft.js'
import { OUTCOME_LABELS, outcomeText } from './case-labels.js'
import { type ReadyRuling, RuleDialog } from './rule-dialog.js'
import { heldPrice, type Split, splitAt } from './split.view.js'
import { SplitPreview, SplitSentence } from './split-preview.js'
import { partialFault, typedAmount } from './typed-refund.js'

interface RulingDraft {
  readonly outcome: RulingOutcome | ''
  readonly refundAmount: string
  readonly resolution: string
}

interface RuleFormProps {
  dispute: DisputeCase
  terms: SettlementTerms
}

/** The form in which a mediator rules. What each outcome does to the money stands before the button. */
export default function RuleForm({ dispute, terms }: RuleFormProps) {
  // One key for as long as the form is open, so that a ruling that is sent twice is recorded once.
  const [key] = useState(() => crypto.randomUUID())
  const isFinal = dispute.status === 'investigating' && dispute.rulings.length > 0
  const outcomes = mayOrderReturn(dispute, isFinal)
    ? RULING_OUTCOMES
    : RULING_OUTCOMES.filter(each => each !== 'return_exchange')
  const draft = useDraft<RulingDraft>(`ruling:${dispute.id}`, {
    outcome: dispute.proposedOutcome ?? '',
    refundAmount: '',
    resolution: '',
  })
  const form = useForm<RulingDraft>({
    initial: draft.value,
    validate: values => ({
      outcome: values.outcome === '' ? 'Choose an outcome.' : undefined,
      refundAmount: values.outcome === 'partial_refund' ? partialFault(terms, values.refundAmount) : undefined,
      resolution: values.resolution.trim() === '' ? 'Give the reasons.' : undefined,
    }),
    onChange: draft.set,
    asksToLeave: true,
  })
  const [ready, setReady] = useState<ReadyRuling | null>(null)
  const [asking, setAsking] = useState(false)
  async function submit({ outcome, refundAmount, resolution }: RulingDraft) {
    if (outcome === '') return
    const amount = outcome === 'partial_refund' ? typedAmount(terms, refundAmount) : undefined
    setReady({ outcome, resolution: resolution.trim(), ...(amount === undefined ? {} : { refundAmount: amount }) })
    setAsking(true)
  }
  const { outcome, refundAmount } = form.values
  const split = outcome === '' ? null : splitAt(terms, refundOf(outcome, refundAmount, terms))
  return (
    <section id="rule" tabIndex={-1} aria-labelledby="rule-title" className="scroll-mt-20 outline-none">
      <h2 id="rule-title" className="display text-xl">
        {isFinal ? 'Decide finally' : 'Rule'}
      </h2>
      <Form form={form} onSubmit={submit} className="mt-4 grid gap-6">
        {dispute.proposedOutcome && (
          <Notice title={`${OUTCOME_LABELS[dispute.proposedOutcome]} is proposed`}>
            Neither party has said a word since the dispute was filed, and no scan ever showed that the parcel moved.
            You decide.
          </Notice>
        )}
        <Fieldset legend="Outcome">
          <div
            role="radiogroup"
            aria-label="Outcome"
            aria-invalid={form.error('outcome') ? true : undefined}
            className="grid gap-2"
          >
            {outcomes.map(each => (
              <OutcomeOption
                key={each}
                dispute={dispute}
                outcome={each}
                isChosen={outcome === each}
                onChoose={() => form.set('outcome', each)}
                split={each === 'partial_refund' ? null : splitAt(terms, refundOf(each, '', terms))}
              />
            ))}
          </div>
          {form.error('outcome') && <p className="text-sm font-medium text-trouble">{form.error('outcome')}</p>}
        </Fieldset>
        {outcome === 'partial_refund' && (
          <AmountField
            label={`What ${dispute.buyer.firstName} gets back`}
            hint={`More than zero and less than ${displayAmount(heldPrice(terms), terms.currency)}, the price that is held.`}
            {...form.field('refundAmount')}
            typed={refundAmount}
            currency={terms.currency}
            required
            className="max-w-xs"
          />
        )}
        <Field label="Reasons" hint="Both parties read them." {...form.field('resolution')}>
          <Textarea rows={6} required maxLength={MAX_DISPUTE_REASONS_LENGTH} />
        </Field>
        <div role="status" className="min-h-6">
          {split && outcome === 'return_exchange' && (
            <p className="mb-2 text-sm text-ink-soft">When the item is back:</p>
          )}
          {split && <SplitPreview dispute={dispute} split={split} />}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit">{isFinal ? 'Review the Final Decision' : 'Review the Ruling'}</Button>
          <p className="text-sm text-ink-soft">Before anything is recorded, you see what it does.</p>
        </div>
        {ready && split && (
          <RuleDialog
            open={asking}
            onClose={() => setAsking(false)}
            dispute={dispute}
            ruling={ready}
            split={split}
            isFinal={isFinal}
            requestKey={key}
            onSent={sent => sent?.kind === 'done' && draft.forget()}
          />
        )}
      </Form>
    </section>
  )
}

interface OutcomeOptionProps {
  dispute: DisputeCase
  outcome: RulingOutcome
  isChosen: boolean
  onChoose: () => void
  /** Null where it depends on the amount. */
  split: Split | null
}

function OutcomeOption({ dispute, outcome, isChosen, onChoose, split }: OutcomeOptionProps) {
  return (
    <label
      className={classes(
        'flex gap-3 rounded-lg border p-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
        isChosen ? 'border-ink inset-ring inset-ring-ink' : 'border-edge hover:border-ink',
      )}
    >
      <input
        type="radio"
        name="outcome"
        checked={isChosen}
        onChange={onChoose}
        className="mt-0.5 size-5 shrink-0 accent-ink outline-none"
      />
      <span className="min-w-0">
        <span className="block font-semibold">{OUTCOME_LABELS[outcome]}</span>
        <span className="block text-sm text-ink-soft">{outcomeText(outcome)}</span>
        {split && (
          <span className="mt-1 block text-sm">
            <SplitSentence dispute={dispute} split={split} />
          </span>
        )}
      </span>
    </label>
  )
}

/** What an outcome gives the buyer back of the price, as a decimal string; undefined while none is typed. */
function refundOf(outcome: RulingOutcome, typed: string, terms: SettlementTerms): string | undefined {
  switch (outcome) {
    case 'full_refund':
    case 'return_exchange':
      return heldPrice(terms)
    case 'partial_refund':
      return typedAmount(terms, typed)
    case 'seller_favor':
      return '0'
  }
}

/** The steps that lead to a final decision. The latest of them says what the decision is about. */
const LEADS_TO_DECISION: readonly DisputeStep[] = [
  'appealed',
  'return_contested',
  'return_not_arrived',
  'not_carried_out',
]

/** Whether a mediator may order a return: at first and about an appeal, and no second time. */
const mayOrderReturn = ({ history }: DisputeCase, isFinal: boolean): boolean =>
  !isFinal || history.findLast(({ step }) => LEADS_TO_DECISION.includes(step))?.step === 'appealed'
