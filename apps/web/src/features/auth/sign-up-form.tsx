import { routes } from 'virtual:routes'
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { type Outcome, refusedFields } from '../../lib/command-outcome.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { useCommand } from '../../lib/use-command.js'
import { accountFaults, EMPTY_ACCOUNT } from './shared/credential-faults.js'
import { PASSWORD_HINT } from './shared/password-hint.js'

const REFUSED = 'Failed to create account. Email may already be in use.'

export function SignUpForm() {
  const form = useForm({ initial: EMPTY_ACCOUNT, validate: accountFaults })
  const { give, busy } = useCommand(routes.signUp, {
    whether: 'your account was created',
    done: () => ['Account created successfully!'],
    // A refused field shows its own reason: that the email may be in use would be wrong.
    refused: error => (error.status === 400 || error.code === 'USERNAME_TAKEN' ? null : ['Error', REFUSED]),
    refresh: refreshCurrentUser,
  })
  return (
    <Form form={form} onSubmit={async body => faultsOf(await give({ body }))} className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="First Name" {...form.field('firstName')}>
          <Input autoComplete="given-name" required maxLength={MAX_NAME_LENGTH} />
        </Field>
        <Field label="Last Name" {...form.field('lastName')}>
          <Input autoComplete="family-name" required maxLength={MAX_NAME_LENGTH} />
        </Field>
      </div>
      <Field label="Username" {...form.field('username')}>
        <Input autoComplete="username" autoCapitalize="none" spellCheck={false} required />
      </Field>
      <Field label="Email" {...form.field('email')}>
        <Input type="email" autoComplete="email" required maxLength={MAX_EMAIL_LENGTH} />
      </Field>
      <Field label="Password" hint={PASSWORD_HINT} {...form.field('password')}>
        <Input type="password" autoComplete="new-password" required maxLength={MAX_PASSWORD_LENGTH} />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Creating account...' : 'Create Account'}
      </Button>
    </Form>
  )
}

/** The refused fields; a conflict belongs to the field it is about. */
function faultsOf(outcome: Outcome<unknown> | null): Readonly<Record<string, string>> {
  if (outcome?.kind === 'refused' && outcome.error.status === 409) {
    const { code, serverMessage } = outcome.error
    return { [code === 'USERNAME_TAKEN' ? 'username' : 'email']: serverMessage }
  }
  return refusedFields(outcome)
}
