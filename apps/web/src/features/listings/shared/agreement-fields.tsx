import { MAX_SIGNATURE_LENGTH } from '@holdfast/kernel/agreements'
import type { PartyRole } from '@holdfast/kernel/deals'
import { Checkbox } from '../../../components/checkbox.js'
import { Field } from '../../../components/field.js'
import { Input } from '../../../components/input.js'
import type { Form } from '../../../lib/form/use-form.js'
import { agreementsFor, type Signature } from './agreements.js'

interface AgreementFieldsProps {
  form: Pick<Form<Signature>, 'field' | 'control'>
  /** In which role the user signs. */
  signer: PartyRole
}

/** The three agreements with their checkboxes, and the signature. */
export function AgreementFields({ form, signer }: AgreementFieldsProps) {
  return (
    <>
      {agreementsFor(signer).map(agreement => (
        <section key={agreement.field} aria-labelledby={`agreement-${agreement.field}`}>
          <h3 id={`agreement-${agreement.field}`} className="font-semibold">
            {agreement.title}
          </h3>
          <ol className="mt-2 mb-4 grid list-decimal gap-1.5 border-l-2 border-rule pl-9 text-sm text-ink-soft">
            {agreement.clauses.map(clause => (
              <li key={clause}>{clause}</li>
            ))}
          </ol>
          <Checkbox label={agreement.consent} {...form.control(agreement.field)} />
        </section>
      ))}
      <Field
        label="Digital Signature"
        hint="Type your full legal name. It is kept with the time of signing."
        {...form.field('digitalSignature')}
      >
        <Input autoComplete="name" maxLength={MAX_SIGNATURE_LENGTH} className="display text-lg" />
      </Field>
    </>
  )
}
