import { routes } from 'virtual:routes'
import {
  MAX_ENQUIRY_MESSAGE_LENGTH,
  MAX_ENQUIRY_NAME_LENGTH,
  MAX_ENQUIRY_SUBJECT_LENGTH,
  SUPPORT_CATEGORIES,
  type SupportCategory,
} from '@holdfast/kernel/enquiries'
import { MAX_EMAIL_LENGTH } from '@holdfast/kernel/users'
import { useEffect, useId } from 'react'
import { humanCase } from '../../components/badge.js'
import { Button, buttonClass } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input, Textarea } from '../../components/input.js'
import { Notice } from '../../components/notice.js'
import { Select } from '../../components/select.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { mailTo, SUPPORT_EMAIL } from '../../lib/contact.js'
import { fullName, useSession } from '../../lib/current-user.js'
import { emailFault } from '../../lib/form/rules.js'
import { useForm } from '../../lib/form/use-form.js'
import { operator } from '../../lib/operator.js'
import { useCommand } from '../../lib/use-command.js'

export default function ContactTab() {
  const formId = useId()
  return (
    <div className="grid gap-12 lg:grid-cols-[20rem_1fr]">
      <div className="grid content-start gap-8">
        <section>
          <h2 className="font-semibold">Live Chat</h2>
          <p className="mt-1 mb-3 text-sm text-ink-soft">
            The live chat is not open yet. Please write to us with the form: a person reads it, and answers by mail.
          </p>
          <a href={`#${formId}`} className={buttonClass('quiet')}>
            Start Chat
          </a>
        </section>
        <section>
          <h2 className="font-semibold">Email Support</h2>
          <p className="mt-1 mb-3 text-sm text-ink-soft">
            {operator.answerTime ? `Response ${operator.answerTime}.` : 'Answered in the order of arrival.'}
          </p>
          <a href={mailTo(SUPPORT_EMAIL, 'Support request')} className={buttonClass('quiet')}>
            Send Email
          </a>
        </section>
      </div>
      <ContactForm id={formId} />
    </div>
  )
}

interface Ticket {
  readonly name: string
  readonly email: string
  readonly category: SupportCategory
  readonly subject: string
  readonly message: string
}

const missing = (text: string, words: string) => (text.trim() === '' ? words : undefined)

/** Opens a ticket. A signed-in user need not type who they are. */
function ContactForm({ id }: { id: string }) {
  const { user } = useSession()
  const { give, busy, outcome, forget } = useCommand(routes.openTicket, {
    whether: 'your message has arrived',
    done: () => null,
    refused: error => (error.status === 400 ? null : ['Your message was not sent', error.serverMessage]),
    refresh: async () => undefined,
  })
  const form = useForm<Ticket>({
    initial: {
      name: user ? fullName(user) : '',
      email: user?.email ?? '',
      category: 'general',
      subject: '',
      message: '',
    },
    validate: ({ name, email, subject, message }) => ({
      name: missing(name, 'Enter your name'),
      email: missing(email, 'Enter your email') ?? emailFault(email),
      subject: missing(subject, 'Enter a subject'),
      message: missing(message, 'Enter your message'),
    }),
    asksToLeave: outcome?.kind !== 'done',
  })
  // After a second and a half the page is drawn although it is not known yet who is signed in. What was typed by then stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only who is signed in is a reason to run again
  useEffect(() => {
    if (!user) return
    if (form.values.name === '') form.set('name', fullName(user))
    if (form.values.email === '') form.set('email', user.email)
  }, [user])
  if (outcome?.kind === 'done')
    return (
      <div className="grid max-w-xl content-start gap-4">
        <h2 className="display text-xl">Thank you for writing</h2>
        <Notice alert title={`Your message has arrived as no. ${outcome.answer.number}.`}>
          We have mailed you this number. A person reads what you wrote, and the answer comes by mail.
        </Notice>
        <Button kind="quiet" onClick={forget} className="justify-self-start">
          Write Another Message
        </Button>
      </div>
    )
  return (
    <Form
      form={form}
      onSubmit={async body => refusedFields(await give({ body }))}
      id={id}
      className="grid max-w-xl scroll-mt-6 gap-4"
    >
      <h2 className="display text-xl">Write to us</h2>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Name" {...form.field('name')}>
          <Input autoComplete="name" maxLength={MAX_ENQUIRY_NAME_LENGTH} />
        </Field>
        <Field label="Email" {...form.field('email')}>
          <Input type="email" autoComplete="email" maxLength={MAX_EMAIL_LENGTH} />
        </Field>
      </div>
      <Field label="Category" {...form.field('category')}>
        <Select>
          {SUPPORT_CATEGORIES.map(category => (
            <option key={category} value={category}>
              {humanCase(category)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Subject" {...form.field('subject')}>
        <Input maxLength={MAX_ENQUIRY_SUBJECT_LENGTH} />
      </Field>
      <Field label="Message" hint="Never write a password or a card number here." {...form.field('message')}>
        <Textarea rows={6} maxLength={MAX_ENQUIRY_MESSAGE_LENGTH} />
      </Field>
      <Button type="submit" busy={busy} className="justify-self-start">
        {busy ? 'Sending...' : 'Send Message'}
      </Button>
    </Form>
  )
}
