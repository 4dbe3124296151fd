import { routes } from 'virtual:routes'
import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MAX_PHONE_LENGTH } from '@holdfast/kernel/users'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { type CurrentUser, refreshCurrentUser } from '../../lib/current-user.js'
import { emailFault } from '../../lib/form/rules.js'
import { useForm } from '../../lib/form/use-form.js'
import { useUnsavedChanges } from '../../lib/unsaved-changes.js'
import { useCommand } from '../../lib/use-command.js'
import { missing } from '../auth/shared/credential-faults.js'
import { ConfirmOnDemand } from '../security/shared/confirm-on-demand.js'
import { CONFIRMATION_REQUIRED, useConfirmed } from '../security/shared/use-confirmed.js'

const FIELDS = ['firstName', 'lastName', 'username', 'email', 'phoneNumber'] as const

type Facts = { readonly [Field in (typeof FIELDS)[number]]: string }
type Values = Facts & { readonly currentPassword: string }

/** The form of a user's personal data. Another e-mail address needs the password, and is confirmed by mail. */
export function PersonalInformation({ user }: { user: CurrentUser }) {
  // Another tab may save other fields meanwhile. So what was changed is what differs from what this form has shown or saved itself.
  const [shown, setShown] = useState<Facts>(() => ({ ...user, phoneNumber: user.phoneNumber ?? '' }))
  const changesEmail = (email: string) => email.trim().toLowerCase() !== shown.email.toLowerCase()
  const form = useForm<Values>({
    initial: { ...shown, currentPassword: '' },
    validate: ({ firstName, lastName, username, email, currentPassword }) => ({
      firstName: missing(firstName, 'Enter your first name'),
      lastName: missing(lastName, 'Enter your last name'),
      username: missing(username, 'Enter a username'),
      email: missing(email, 'Enter your email') ?? emailFault(email),
      currentPassword: changesEmail(email) ? missing(currentPassword, 'Enter your password') : undefined,
    }),
  })
  const { give, busy } = useCommand(routes.changeProfile, {
    whether: 'your profile was changed',
    done: (_, { body }) =>
      changesEmail(body.email)
        ? ['Profile Updated', `Your new address counts when you open the link that we have mailed to ${body.email}.`]
        : ['Profile Updated'],
    refused: error =>
      error.code === CONFIRMATION_REQUIRED ? null : ['Update Failed', 'Failed to update profile. Please try again.'],
    refresh: refreshCurrentUser,
  })
  useUnsavedChanges(!busy && FIELDS.some(field => form.values[field] !== shown[field]))
  const confirmed = useConfirmed()
  const save = async ({ currentPassword, ...facts }: Values) => {
    const { firstName, lastName, username, email } = facts
    const phone = facts.phoneNumber.trim()
    const changed = FIELDS.filter(field => facts[field] !== shown[field])
    const body = { firstName, lastName, username, email, phoneNumber: phone === '' ? null : phone, changed }
    const command = () => give({ body: changesEmail(email) ? { ...body, currentPassword } : body })
    // The address stays the old one until its link is opened.
    return refusedFields(await confirmed.run(command, () => setShown({ ...facts, email: shown.email })))
  }
  return (
    <>
      <Form form={form} onSubmit={save} className="grid gap-4">
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <Field label="First Name" {...form.field('firstName')}>
            <Input autoComplete="given-name" maxLength={MAX_NAME_LENGTH} />
          </Field>
          <Field label="Last Name" {...form.field('lastName')}>
            <Input autoComplete="family-name" maxLength={MAX_NAME_LENGTH} />
          </Field>
        </div>
        <Field label="Username" {...form.field('username')}>
          <Input autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field
          label="Email"
          hint="We mail a link to a new address. Until you open it, the old one stays."
          {...form.field('email')}
        >
          <Input type="email" autoComplete="email" maxLength={MAX_EMAIL_LENGTH} />
        </Field>
        <Field label="Password" hint="Only for a new email address." {...form.field('currentPassword')}>
          <Input type="password" autoComplete="current-password" maxLength={MAX_PASSWORD_LENGTH} />
        </Field>
        <Field label="Phone Number" optional {...form.field('phoneNumber')}>
          <Input type="tel" autoComplete="tel" maxLength={MAX_PHONE_LENGTH} />
        </Field>
        <Button type="submit" busy={busy} className="justify-self-start">
          {busy ? 'Saving...' : 'Save Changes'}
        </Button>
      </Form>
      <ConfirmOnDemand confirmed={confirmed} />
    </>
  )
}
