import { FRESH_SIGN_IN_MINUTES } from '@holdfast/kernel/account'
import { MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { Field } from '../../../components/field.js'
import { Input } from '../../../components/input.js'
import type { Form } from '../../../lib/form/use-form.js'

export interface Proof {
  readonly currentPassword: string
}

/** The password, by which a user shows that it is them. Who signs in at a provider may have none. */
export function PasswordProof({ form }: { form: Form<Proof> }) {
  return (
    <Field
      label="Your Password"
      hint={`Do you sign in with Google, Apple or Microsoft? Then leave it empty. More than ${FRESH_SIGN_IN_MINUTES} minutes after you signed in, you confirm with your second factor that it is you, or sign in again.`}
      {...form.field('currentPassword')}
    >
      <Input type="password" autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
    </Field>
  )
}

/** The body of the request: an empty field is no password. */
export const proofOf = ({ currentPassword }: Proof) => (currentPassword === '' ? {} : { currentPassword })
