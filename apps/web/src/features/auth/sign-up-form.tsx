import { routes } from 'virtual:routes'
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { fieldErrors, isStatus, request } from '../../lib/api.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { toast, toastError } from '../../lib/toast.js'

const REFUSED = 'Failed to create account. Email may already be in use.'

export function SignUpForm() {
  const [busy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const text = (name: string) => String(data.get(name) ?? '')
    setBusy(true)
    setErrors({})
    try {
      await request(routes.signUp, {
        body: {
          firstName: text('firstName'),
          lastName: text('lastName'),
          username: text('username'),
          email: text('email'),
          password: text('password'),
        },
      })
      await refreshCurrentUser()
      toast('Account created successfully!')
    } catch (error) {
      setErrors(namedErrors(error))
      toastError('Error', REFUSED)
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First Name" error={errors.firstName}>
          <Input name="firstName" autoComplete="given-name" required maxLength={MAX_NAME_LENGTH} />
        </Field>
        <Field label="Last Name" error={errors.lastName}>
          <Input name="lastName" autoComplete="family-name" required maxLength={MAX_NAME_LENGTH} />
        </Field>
      </div>
      <Field label="Username" error={errors.username}>
        <Input name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required />
      </Field>
      <Field label="Email" error={errors.email}>
        <Input name="email" type="email" autoComplete="email" required maxLength={MAX_EMAIL_LENGTH} />
      </Field>
      <Field label="Password" hint={`At least ${MIN_PASSWORD_LENGTH} characters`} error={errors.password}>
        <Input
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={MIN_PASSWORD_LENGTH}
          maxLength={MAX_PASSWORD_LENGTH}
        />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Creating account...' : 'Create Account'}
      </Button>
    </form>
  )
}

/** The refused fields; a conflict is told at the field it is about. */
function namedErrors(error: unknown): Readonly<Record<string, string>> {
  if (isStatus(error, 409)) {
    return error.code === 'USERNAME_TAKEN' ? { username: error.serverMessage } : { email: error.serverMessage }
  }
  return fieldErrors(error)
}
