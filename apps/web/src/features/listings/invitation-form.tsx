import { routes } from 'virtual:routes'
import { DEFAULT_INVITATION_DAYS, INVITATION_DAYS, MAX_INVITATION_MESSAGE_LENGTH } from '@holdfast/kernel/invitations'
import { MAX_EMAIL_LENGTH } from '@holdfast/kernel/users'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input, Textarea } from '../../components/input.js'
import { Select } from '../../components/select.js'
import { serverWords } from '../../lib/api.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { refresh } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'

const EMPTY = { inviteeEmail: '', message: '', expiresInDays: String(DEFAULT_INVITATION_DAYS) }

interface InvitationFormProps {
  listingId: number
  /** Gets the link of the new invitation. */
  onMade: (url: string) => void
}

/** Invites one person. Without an address the owner passes the link on. */
export function InvitationForm({ listingId, onMade }: InvitationFormProps) {
  const form = useForm({ initial: EMPTY, validate: () => ({}) })
  const { give, busy } = useCommand(routes.createInvitation, {
    whether: 'the invitation was made',
    done: (_, { body }) => [body.inviteeEmail ? 'Invitation sent' : 'Invitation made'],
    refused: error =>
      error.status === 400
        ? null
        : ['Error', serverWords(error, 'The invitation could not be made. Please try again.')],
    refresh: () => refresh(routes.listInvitations),
    onDone: ({ url }) => {
      onMade(url)
      form.reset(EMPTY)
    },
  })
  async function submit({ inviteeEmail, message, expiresInDays }: typeof EMPTY) {
    const days = INVITATION_DAYS.find(each => String(each) === expiresInDays) ?? DEFAULT_INVITATION_DAYS
    const body = { inviteeEmail: inviteeEmail.trim() || null, message: message.trim() || null, expiresInDays: days }
    return refusedFields(await give({ params: { id: String(listingId) }, body }))
  }
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <Field label="E-mail address" optional hint="We mail the link to it." {...form.field('inviteeEmail')}>
          <Input type="email" autoComplete="off" maxLength={MAX_EMAIL_LENGTH} />
        </Field>
        <Field label="Valid for" hint="From now on." {...form.field('expiresInDays')}>
          <Select>
            {INVITATION_DAYS.map(days => (
              <option key={days} value={days}>
                {days === 1 ? '1 day' : `${days} days`}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label="Message" optional {...form.field('message')}>
        <Textarea rows={2} maxLength={MAX_INVITATION_MESSAGE_LENGTH} />
      </Field>
      <Button type="submit" busy={busy} className="justify-self-start">
        {busy ? 'Inviting...' : 'Invite'}
      </Button>
    </Form>
  )
}
