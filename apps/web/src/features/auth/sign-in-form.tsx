import { routes } from 'virtual:routes'
import type { ApiError } from '@holdfast/http-client/api-error'
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { useCommand } from '../../lib/use-command.js'
import { missing } from './credential-faults.js'

const EMPTY = { email: '', password: '' }

export function SignInForm() {
  const form = useForm({
    initial: EMPTY,
    validate: ({ email, password }) => ({
      email: missing(email, 'Enter your email'),
      password: missing(password, 'Enter your password'),
    }),
  })
  const { give, busy } = useCommand(routes.signIn, {
    whether: 'you are signed in',
    done: () => ['Signed in successfully!'],
    refused: error => ['Error', refusalWords(error)],
    refresh: refreshCurrentUser,
  })
  return (
    <Form form={form} onSubmit={async body => void (await give({ body }))} className="grid gap-4">
      <Field label="Email" {...form.field('email')}>
        <Input type="email" autoComplete="email" required maxLength={MAX_EMAIL_LENGTH} />
      </Field>
      <Field label="Password" {...form.field('password')}>
        <Input type="password" autoComplete="current-password" required maxLength={MAX_PASSWORD_LENGTH} />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Signing in...' : 'Sign In'}
      </Button>
    </Form>
  )
}

function refusalWords({ status, serverMessage }: ApiError): string {
  if (status === 401 || status === 400) return 'Invalid email or password'
  if (status === 429) return 'Too many attempts. Please wait a moment and try again.'
  return serverMessage
}
