import { routes } from 'virtual:routes'
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { isStatus, request } from '../../lib/api.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { toast, toastError } from '../../lib/toast.js'

export function SignInForm() {
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    setBusy(true)
    try {
      await request(routes.signIn, {
        body: { email: String(data.get('email')), password: String(data.get('password')) },
      })
      await refreshCurrentUser()
      toast('Signed in successfully!')
    } catch (error) {
      toastError('Error', refusal(error))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="Email">
        <Input name="email" type="email" autoComplete="email" required maxLength={MAX_EMAIL_LENGTH} />
      </Field>
      <Field label="Password">
        <Input
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={MAX_PASSWORD_LENGTH}
        />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Signing in...' : 'Sign In'}
      </Button>
    </form>
  )
}

function refusal(error: unknown): string {
  if (isStatus(error, 401) || isStatus(error, 400)) return 'Invalid email or password'
  if (isStatus(error, 429)) return 'Too many attempts. Please wait a moment and try again.'
  return 'The server could not be reached. You are not signed in; please try again.'
}
