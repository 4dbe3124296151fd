import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { MAX_PASSWORD_LENGTH } from '@holdfast/kernel/users'
import { useNavigate } from 'react-router-dom'
import { Button, ButtonLink } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { DeadLink } from './dead-link.js'
import { passwordFault } from './shared/credential-faults.js'
import { PASSWORD_HINT } from './shared/password-hint.js'
import { refusalWords } from './shared/refusal-words.js'
import { useMailedToken } from './use-mailed-token.js'

/** Sets a new password, with the token of the mailed link. */
export default function ResetPasswordPage() {
  const token = useMailedToken()
  const navigate = useNavigate()
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => ({ password: passwordFault(password) }),
  })
  const { give, busy, outcome } = useCommand(routes.resetPassword, {
    whether: 'your password was changed',
    done: () => ['Password changed', 'Sign in with the new one.'],
    // The page itself says that a link is dead, and what is wrong with a password.
    refused: error => (error.status === 410 || error.status === 400 ? null : ['Error', refusalWords(error)]),
    refresh: refreshCurrentUser,
    onDone: () => navigate(paths.auth, { replace: true }),
  })
  const isDead = token === null || (outcome?.kind === 'refused' && outcome.error.status === 410)
  return (
    <div className="page max-w-lg">
      <PageHead page={pages.resetPassword} />
      <PageHeader
        title="Set a new password"
        lead="You are signed out everywhere when you set it, and sign in again with the new one."
      />
      {isDead ? (
        <DeadLink text="A link can be used once, within a day. This visit changed nothing.">
          <ButtonLink to={paths.forgotPassword}>Ask for a New Link</ButtonLink>
        </DeadLink>
      ) : (
        <Form
          form={form}
          onSubmit={async ({ password }) => refusedFields(await give({ body: { token, password } }))}
          className="grid gap-4"
        >
          <Field label="New password" hint={PASSWORD_HINT} {...form.field('password')}>
            <Input type="password" autoComplete="new-password" required maxLength={MAX_PASSWORD_LENGTH} />
          </Field>
          <Notice title="Was it not you who asked for this?">Close this page. Your password stays as it is.</Notice>
          <Button type="submit" busy={busy}>
            {busy ? 'Saving...' : 'Set Password'}
          </Button>
        </Form>
      )}
    </div>
  )
}
