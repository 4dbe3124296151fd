import { routes } from 'virtual:routes'
import { MAX_CODE_LENGTH } from '@holdfast/kernel/second-factors'
import { MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { useState } from 'react'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Input } from '../../../components/input.js'
import { Notice } from '../../../components/notice.js'
import { refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useCommand } from '../../../lib/use-command.js'
import { missing } from '../../auth/shared/credential-faults.js'
import { refusalWords } from '../../auth/shared/refusal-words.js'
import { askForPasskey } from './passkey-ceremony.js'
import type { Confirmed } from './use-confirmed.js'

export interface ConfirmDialogProps {
  open: boolean
  confirmed: Confirmed
}

const nothing = async () => undefined

/** Asks again who the person is, before acts that change where money goes or whom others trust. */
export default function ConfirmDialog({ open, confirmed }: ConfirmDialogProps) {
  const methods = confirmed.waiting?.methods ?? []
  const hasCode = methods.includes('authenticator') || methods.includes('recovery_code')
  const [problem, setProblem] = useState<string | null>(null)
  const command = useCommand(routes.confirmIdentity, {
    whether: 'this was confirmed',
    done: () => null,
    refused: error => (error.status === 400 ? null : ['Not confirmed', refusalWords(error)]),
    refresh: nothing,
    onDone: confirmed.goOn,
  })
  const start = useCommand(routes.startPasskeyConfirmation, {
    whether: 'a passkey can be used',
    done: () => null,
    refused: error => ['Not confirmed', refusalWords(error)],
    refresh: nothing,
  })

  async function confirmWithPasskey() {
    setProblem(null)
    const outcome = await start.give({})
    if (outcome?.kind !== 'done') return
    const ceremony = await askForPasskey(outcome.answer.options)
    if ('problem' in ceremony) setProblem(ceremony.problem)
    else await command.give({ body: { passkey: ceremony.passkey } })
  }

  const send = async (body: { password: string } | { code: string }) => refusedFields(await command.give({ body }))
  return (
    <Dialog
      open={open}
      onOpenChange={isOpen => isOpen || confirmed.cancel()}
      title="Confirm that it is you"
      description="Show again who you are. You will not be asked again for ten minutes."
    >
      <div className="grid gap-4">
        {problem && (
          <Notice tone="trouble" alert>
            {problem}
          </Notice>
        )}
        {/* Who has a second factor confirms with it: the password is then none of the methods. */}
        {methods.includes('password') && <PasswordForm busy={command.busy} send={send} />}
        {hasCode && <CodeForm busy={command.busy} send={send} />}
        {methods.includes('passkey') && (
          <Button
            kind="quiet"
            busy={start.busy}
            onClick={() => void confirmWithPasskey()}
            className="justify-self-start"
          >
            Use a Passkey
          </Button>
        )}
      </div>
    </Dialog>
  )
}

type Faults = Readonly<Record<string, string>>

function PasswordForm({ busy, send }: { busy: boolean; send: (body: { password: string }) => Promise<Faults> }) {
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => ({ password: missing(password, 'Enter your password') }),
  })
  return (
    <Form form={form} onSubmit={send} className="grid gap-4">
      <Field label="Password" {...form.field('password')}>
        <Input type="password" autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Checking...' : 'Confirm'}
      </Button>
    </Form>
  )
}

function CodeForm({ busy, send }: { busy: boolean; send: (body: { code: string }) => Promise<Faults> }) {
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: missing(code, 'Enter the code') }),
  })
  return (
    <Form form={form} onSubmit={send} className="grid gap-4">
      <Field label="Code" hint="Of your authenticator app, or a recovery code." {...form.field('code')}>
        <Input autoComplete="one-time-code" autoCapitalize="characters" maxLength={MAX_CODE_LENGTH} />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Checking...' : 'Confirm'}
      </Button>
    </Form>
  )
}
