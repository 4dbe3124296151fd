import { routes } from 'virtual:routes'
import { MAX_CODE_LENGTH, type SecondFactorMethod } from '@holdfast/kernel/second-factors'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { TextLink } from '../../components/link.js'
import { Notice } from '../../components/notice.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { sections } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { askForPasskey } from '../security/shared/passkey-ceremony.js'
import { missing } from './shared/credential-faults.js'
import { refusalWords } from './shared/refusal-words.js'

interface SecondStepProps {
  /** By what the account can show a second factor. */
  methods: readonly SecondFactorMethod[]
  /** Back to the first step. */
  onBack: () => void
  onDone?: () => void
}

/** The second step of a sign-in: a code of the app, a passkey, or a recovery code. */
export default function SecondStep({ methods, onBack, onDone }: SecondStepProps) {
  const hasApp = methods.includes('authenticator')
  const [byRecoveryCode, setByRecoveryCode] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const finish = useCommand(routes.finishSignIn, {
    whether: 'you are signed in',
    done: () => ['Signed in successfully!'],
    refused: error => {
      if (error.status !== 400) setProblem(refusalWords(error))
      return null
    },
    refresh: refreshCurrentUser,
    ...(onDone ? { onDone } : {}),
  })
  const start = useCommand(routes.startPasskeySecondStep, {
    whether: 'a passkey can be used',
    done: () => null,
    refused: error => {
      setProblem(refusalWords(error))
      return null
    },
    refresh: async () => undefined,
  })

  async function showPasskey() {
    setProblem(null)
    const outcome = await start.give({})
    if (outcome?.kind !== 'done') return
    const ceremony = await askForPasskey(outcome.answer.options)
    if ('problem' in ceremony) setProblem(ceremony.problem)
    else await finish.give({ body: { passkey: ceremony.passkey } })
  }

  async function sendCode(body: { code: string }) {
    setProblem(null)
    return refusedFields(await finish.give({ body }))
  }

  const way = byRecoveryCode ? 'recovery_code' : hasApp ? 'authenticator' : 'passkey'
  return (
    <div className="grid gap-4">
      {problem && (
        <Notice tone="trouble" alert>
          {problem}
        </Notice>
      )}
      {way !== 'passkey' && <CodeForm key={way} isRecovery={byRecoveryCode} busy={finish.busy} send={sendCode} />}
      <div className="flex flex-wrap gap-3">
        {methods.includes('passkey') && (
          <Button
            kind={way === 'passkey' ? 'primary' : 'quiet'}
            busy={start.busy || finish.busy}
            onClick={() => void showPasskey()}
          >
            Use a Passkey
          </Button>
        )}
        {methods.includes('recovery_code') && (hasApp || !byRecoveryCode) && (
          <Button kind="quiet" onClick={() => setByRecoveryCode(!byRecoveryCode)}>
            {byRecoveryCode ? 'Use a Code of the App' : 'Use a Recovery Code'}
          </Button>
        )}
        <Button kind="quiet" onClick={onBack}>
          Start Again
        </Button>
      </div>
      <p className="text-sm text-ink-soft">
        Lost everything? <TextLink to={sections.contact}>Write to our support team</TextLink>. They ask for proof of who
        you are, which takes some days.
      </p>
    </div>
  )
}

interface CodeFormProps {
  isRecovery: boolean
  busy: boolean
  send: (body: { code: string }) => Promise<Readonly<Record<string, string>>>
}

function CodeForm({ isRecovery, busy, send }: CodeFormProps) {
  const form = useForm({ initial: { code: '' }, validate: ({ code }) => ({ code: missing(code, 'Enter the code') }) })
  return (
    <Form form={form} onSubmit={send} className="grid gap-4">
      <Field
        label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
        hint={
          isRecovery
            ? 'One of the codes that you have kept. Each code works once.'
            : 'Six digits. A new one comes every 30 seconds.'
        }
        {...form.field('code')}
      >
        <Input
          autoFocus
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="characters"
          maxLength={MAX_CODE_LENGTH}
        />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Checking...' : 'Sign In'}
      </Button>
    </Form>
  )
}
