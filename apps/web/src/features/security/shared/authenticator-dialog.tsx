import { routes } from 'virtual:routes'
import { MAX_CODE_LENGTH } from '@holdfast/kernel/second-factors'
import { Button } from '../../../components/button.js'
import { CopyButton } from '../../../components/copy-button.js'
import { Dialog } from '../../../components/dialog.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Input } from '../../../components/input.js'
import QrCode from '../../../components/qr-code.js'
import { type Outcome, refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useCommand } from '../../../lib/use-command.js'
import { missing } from '../../auth/shared/credential-faults.js'
import { refusalWords } from '../../auth/shared/refusal-words.js'
import { refreshFactors } from './refresh-factors.js'
import { CONFIRMATION_REQUIRED, type Confirmed } from './use-confirmed.js'

export interface AuthenticatorDialogProps {
  open: boolean
  /** What the server sent for the app. */
  setup: { readonly secret: string; readonly uri: string } | null
  confirmed: Confirmed
  onClose: () => void
  onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** Shows the secret for an authenticator app, and asks for its first code. */
export default function AuthenticatorDialog({ open, setup, confirmed, onClose, onAdded }: AuthenticatorDialogProps) {
  const form = useForm({ initial: { code: '' }, validate: ({ code }) => ({ code: missing(code, 'Enter the code') }) })
  const { give, busy } = useCommand(routes.confirmAuthenticator, {
    whether: 'the app was added',
    done: () => ['Authenticator app added', 'It is asked for when you sign in.'],
    refused: error =>
      error.status === 400 || error.code === CONFIRMATION_REQUIRED
        ? null
        : ['The app was not added', refusalWords(error)],
    refresh: refreshFactors,
  })

  /** The answer of the form is that of the first run: a repeated one closes the dialog itself. */
  function send(body: { code: string }): Promise<Readonly<Record<string, string>>> {
    return new Promise(resolve => {
      const run = async (): Promise<Outcome<{ recoveryCodes: string[] | null }> | null> => {
        const outcome = await give({ body })
        resolve(refusedFields(outcome))
        return outcome
      }
      confirmed.run(run, ({ recoveryCodes }) => onAdded(recoveryCodes))
    })
  }

  return (
    <Dialog
      open={open}
      onOpenChange={isOpen => isOpen || onClose()}
      title="Set up an authenticator app"
      description="Any app for six-digit codes works, such as the one of your phone or of your password manager."
    >
      {setup && (
        <div className="grid gap-5">
          <div className="grid gap-2">
            <h3 className="font-semibold">1. Add Holdfast to the app</h3>
            <p className="text-ink-soft">Scan this with the app’s camera, or type the key into the app.</p>
            <div className="max-w-52">
              <QrCode text={setup.uri} label="QR code for your authenticator app" />
            </div>
            <div className="flex flex-wrap items-center gap-3">
              <code className="figures min-w-0 break-all text-sm">{groups(setup.secret)}</code>
              <CopyButton label="key" text={setup.secret} />
            </div>
          </div>
          <Form form={form} onSubmit={send} className="grid gap-4">
            <Field label="2. Enter the code that the app shows" {...form.field('code')}>
              <Input inputMode="numeric" autoComplete="one-time-code" maxLength={MAX_CODE_LENGTH} />
            </Field>
            <Button type="submit" busy={busy}>
              {busy ? 'Checking...' : 'Add App'}
            </Button>
          </Form>
        </div>
      )}
    </Dialog>
  )
}

/** In groups of four, as apps show it. */
const groups = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(' ')
