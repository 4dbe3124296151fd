import { routes } from 'virtual:routes'
import { MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { refresh } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { missing, passwordFault } from '../auth/shared/credential-faults.js'
import { PASSWORD_HINT } from '../auth/shared/password-hint.js'
import { ConfirmOnDemand } from '../security/shared/confirm-on-demand.js'
import { useConfirmed } from '../security/shared/use-confirmed.js'
import { refusedProof } from './shared/proof-form.js'

const EMPTY = { currentPassword: '', newPassword: '' }

/** Sets another password. All other sessions end. */
export function PasswordForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    initial: EMPTY,
    validate: ({ currentPassword, newPassword }) => ({
      currentPassword: missing(currentPassword, 'Enter your password'),
      newPassword: passwordFault(newPassword),
    }),
    asksToLeave: true,
  })
  const { give, busy } = useCommand(routes.changePassword, {
    whether: 'your password was changed',
    done: () => ['Password changed', 'You are signed out everywhere else.'],
    refused: refusedProof('Your password was not changed'),
    refresh: () => refresh(routes.listSessions),
    onDone,
  })
  const confirmed = useConfirmed()
  return (
    <>
      <Form
        form={form}
        onSubmit={async body => refusedFields(await confirmed.run(() => give({ body })))}
        className="grid gap-4"
      >
        <Field label="Present Password" {...form.field('currentPassword')}>
          <Input type="password" autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
        </Field>
        <Field label="New Password" hint={PASSWORD_HINT} {...form.field('newPassword')}>
          <Input type="password" autoComplete="new-password" maxLength={MAX_PASSWORD_LENGTH} />
        </Field>
        <Button type="submit" busy={busy} className="justify-self-start">
          {busy ? 'Saving...' : 'Change Password'}
        </Button>
      </Form>
      <ConfirmOnDemand confirmed={confirmed} />
    </>
  )
}
