import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { MAX_EMAIL_LENGTH } from '@holdfast/kernel/users'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { TextLink } from '../../components/link.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { emailFault } from '../../lib/form/rules.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { missing } from './shared/credential-faults.js'
import { refusalWords } from './shared/refusal-words.js'

/** Asks for a mail with which a new password is set. The page says the same for every address. */
export default function ForgotPasswordPage() {
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) => ({ email: missing(email, 'Enter your email') ?? emailFault(email) }),
  })
  const { give, busy, outcome } = useCommand(routes.forgotPassword, {
    whether: 'a mail was sent',
    done: () => null,
    refused: error => ['Error', refusalWords(error)],
    refresh: async () => undefined,
  })
  return (
    <div className="page max-w-lg">
      <PageHead page={pages.forgotPassword} />
      <PageHeader
        title="Forgot your password?"
        lead="We mail you a link with which you set a new one. Until you use it, nothing changes."
        back={{ to: paths.auth, label: 'Back to Sign In' }}
      />
      {outcome?.kind === 'done' ? (
        <Notice alert title="Look into your mailbox">
          If an account has this address, a mail is on its way to it. The link can be used once, within a day. Nothing
          there? Look at unwanted mail too, and at how you wrote the address.
        </Notice>
      ) : (
        <Form form={form} onSubmit={async body => refusedFields(await give({ body }))} className="grid gap-4">
          <Field label="Email" {...form.field('email')}>
            <Input type="email" autoComplete="email" required maxLength={MAX_EMAIL_LENGTH} />
          </Field>
          <Button type="submit" busy={busy}>
            {busy ? 'Sending...' : 'Mail Me a Link'}
          </Button>
        </Form>
      )}
      <p className="mt-6 text-sm text-ink-soft">
        You cannot read the mails of that address any more? <TextLink to={paths.support}>Ask our support team</TextLink>
        .
      </p>
    </div>
  )
}
