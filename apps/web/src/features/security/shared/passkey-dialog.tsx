import { routes } from 'virtual:routes'
import type { MadePasskey } from '@holdfast/contracts/second-factor'
import { MAX_PASSKEY_NAME_LENGTH } from '@holdfast/kernel/second-factors'
import { useState } from 'react'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Input } from '../../../components/input.js'
import { Notice } from '../../../components/notice.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useCommand } from '../../../lib/use-command.js'
import { missing } from '../../auth/shared/credential-faults.js'
import { refusalWords } from '../../auth/shared/refusal-words.js'
import { makePasskey } from './passkey-ceremony.js'
import { refreshFactors } from './refresh-factors.js'
import { CONFIRMATION_REQUIRED, type Confirmed } from './use-confirmed.js'

export interface PasskeyDialogProps {
  open: boolean
  /** What the server sent for the browser. */
  options: Readonly<Record<string, unknown>> | null
  confirmed: Confirmed
  onClose: () => void
  onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** Asks for a name, and then the browser for a passkey. */
export default function PasskeyDialog({ open, options, confirmed, onClose, onAdded }: PasskeyDialogProps) {
  const form = useForm({
    initial: { name: '' },
    validate: ({ name }) => ({ name: missing(name, 'Give the passkey a name') }),
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const { give, busy } = useCommand(routes.addPasskey, {
    whether: 'the passkey was added',
    done: () => ['Passkey added', 'You can sign in with it from now on.'],
    refused: error => (error.code === CONFIRMATION_REQUIRED ? null : ['No passkey was added', refusalWords(error)]),
    refresh: refreshFactors,
  })

  async function send({ name }: { name: string }): Promise<Record<string, string>> {
    setProblem(null)
    setAsking(true)
    const ceremony = await makePasskey(options ?? {}).finally(() => setAsking(false))
    if ('problem' in ceremony) setProblem(ceremony.problem)
    else add(name, ceremony.passkey)
    return {}
  }

  function add(name: string, passkey: MadePasskey) {
    const run = async () => {
      const outcome = await give({ body: { name, passkey } })
      // A challenge holds once, so another try begins anew.
      if (outcome?.kind === 'refused') onClose()
      return outcome
    }
    confirmed.run(run, ({ recoveryCodes }) => onAdded(recoveryCodes))
  }

  return (
    <Dialog
      open={open}
      onOpenChange={isOpen => isOpen || onClose()}
      title="Add a passkey"
      description="Your browser then asks where to keep it, and for your fingerprint, face or PIN."
    >
      <Form form={form} onSubmit={send} className="grid gap-4">
        {problem && (
          <Notice tone="trouble" alert>
            {problem}
          </Notice>
        )}
        <Field label="Name" hint="So that you know it again, such as “My phone”." {...form.field('name')}>
          <Input autoComplete="off" maxLength={MAX_PASSKEY_NAME_LENGTH} />
        </Field>
        <Button type="submit" busy={busy || isAsking}>
          {isAsking ? 'Waiting for your device...' : busy ? 'Saving...' : 'Go On'}
        </Button>
      </Form>
    </Dialog>
  )
}
