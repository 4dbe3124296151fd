import { routes } from 'virtual:routes'
import type { SecondFactorMethod } from '@holdfast/kernel/second-factors'
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { TextLink } from '../../components/link.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { secondStepMethods } from './second-step-methods.js'
import { missing } from './shared/credential-faults.js'
import { refusalWords } from './shared/refusal-words.js'

const WRONG = 'Invalid email or password'
const EMPTY = { email: '', password: '' }

/** @param onSecondStep called when the password is right, and the account asks for a second factor */
export function SignInForm({ onSecondStep }: { onSecondStep: (methods: readonly SecondFactorMethod[]) => void }) {
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
    refused: error =>
      error.code === 'SECOND_FACTOR_REQUIRED'
        ? null
        : ['Error', [400, 401].includes(error.status) ? WRONG : refusalWords(error)],
    refresh: refreshCurrentUser,
  })

  async function signIn(body: typeof EMPTY): Promise<void> {
    const methods = secondStepMethods(await give({ body }))
    if (methods) onSecondStep(methods)
  }

  return (
    <Form form={form} onSubmit={signIn} className="grid gap-4">
      <Field label="Email" {...form.field('email')}>
        <Input type="email" autoComplete="email" required maxLength={MAX_EMAIL_LENGTH} />
      </Field>
      <Field label="Password" {...form.field('password')}>
        <Input type="password" autoComplete="current-password" required maxLength={MAX_PASSWORD_LENGTH} />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Signing in...' : 'Sign In'}
      </Button>
      <p className="text-sm">
        <TextLink to={paths.forgotPassword}>Forgot your password?</TextLink>
      </p>
    </Form>
  )
}
