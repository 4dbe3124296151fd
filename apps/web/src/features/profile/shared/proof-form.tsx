import type { ApiError } from '@holdfast/http-client/api-error'
import { FRESH_SIGN_IN_MINUTES } from '@holdfast/kernel/account'
import { MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import type { ReactNode } from 'react'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Input } from '../../../components/input.js'
import { type Outcome, refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { refusalWords } from '../../auth/shared/refusal-words.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { CONFIRMATION_REQUIRED, useConfirmed } from '../../security/shared/use-confirmed.js'

interface ProofFormProps {
  /** Sends the command. An empty password is left out: who signs in at a provider may have none. */
  readonly give: (body: { currentPassword?: string }) => Promise<Outcome<unknown> | null>
  /** Stands above the password. */
  readonly lead?: ReactNode
  /** The buttons. */
  readonly children: ReactNode
}

/** A form for what needs a proof that the person is the user. When the password does not prove it, a dialog asks, and the command goes on. */
export function ProofForm({ give, lead, children }: ProofFormProps) {
  const form = useForm({ initial: { currentPassword: '' }, validate: () => ({}) })
  const confirmed = useConfirmed()
  const send = ({ currentPassword }: { currentPassword: string }) =>
    give(currentPassword === '' ? {} : { currentPassword })
  return (
    <>
      <Form
        form={form}
        onSubmit={async typed => refusedFields(await confirmed.run(() => send(typed)))}
        className="grid gap-4"
      >
        {lead}
        <Field
          label="Your Password"
          hint={`Do you sign in with Google, Apple or Microsoft? Then leave it empty. More than ${FRESH_SIGN_IN_MINUTES} minutes after you signed in, you confirm with your second factor that it is you, or sign in again.`}
          {...form.field('currentPassword')}
        >
          <Input type="password" autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
        </Field>
        {children}
      </Form>
      <ConfirmOnDemand confirmed={confirmed} />
    </>
  )
}

/** The words for a refusal; null for one that the form shows itself, at the field or in the dialog. */
export const refusedProof = (title: string) => (error: ApiError) =>
  error.status === 400 || error.code === CONFIRMATION_REQUIRED ? null : ([title, refusalWords(error)] as const)
