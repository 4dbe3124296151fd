import { useId } from 'react'
import { Button, buttonClass } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input, Textarea } from '../../components/input.js'
import { Select } from '../../components/select.js'
import { mailTo, SUPPORT_EMAIL } from '../../lib/contact.js'
import { emailFault } from '../../lib/form/rules.js'
import { useForm } from '../../lib/form/use-form.js'
import { operator } from '../../lib/operator.js'
import { toast } from '../../lib/toast.js'

const CATEGORIES = [
  { value: 'general', label: 'General' },
  { value: 'technical', label: 'Technical' },
  { value: 'transaction', label: 'Transaction' },
  { value: 'account', label: 'Account' },
  { value: 'billing', label: 'Billing' },
] as const

export function ContactTab() {
  const formId = useId()
  return (
    <div className="grid gap-12 lg:grid-cols-[20rem_1fr]">
      <div className="grid content-start gap-8">
        <section>
          <h2 className="font-semibold">Live Chat</h2>
          <p className="mt-1 mb-3 text-sm text-ink-soft">The live chat is not open yet. Please write to us below.</p>
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

const EMPTY = { name: '', email: '', category: 'general', subject: '', message: '' }

/** Sends nothing to the server: it opens the visitor's own mail program with the message filled in. */
function ContactForm({ id }: { id: string }) {
  const form = useForm({
    initial: EMPTY,
    // No field is required (spec section 5). An address that is given must have an @.
    validate: ({ email }) => ({ email: email === '' ? undefined : emailFault(email) }),
  })
  async function openMail(message: typeof EMPTY) {
    console.info('contact form', message)
    window.location.href = mailTo(
      SUPPORT_EMAIL,
      `[${message.category}] ${message.subject}`,
      `${message.message}\n\n${message.name} <${message.email}>`,
    )
    toast('Your e-mail is ready', 'Send it from your mail program: nothing has been sent from here.')
  }
  return (
    <Form form={form} onSubmit={openMail} id={id} className="grid max-w-xl scroll-mt-6 gap-4">
      <h2 className="display text-xl">Write to us</h2>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Name" {...form.field('name')}>
          <Input autoComplete="name" />
        </Field>
        <Field label="Email" {...form.field('email')}>
          <Input type="email" autoComplete="email" />
        </Field>
      </div>
      <Field label="Category" {...form.field('category')}>
        <Select>
          {CATEGORIES.map(category => (
            <option key={category.value} value={category.value}>
              {category.label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Subject" {...form.field('subject')}>
        <Input />
      </Field>
      <Field label="Message" hint="Never write a password or a card number here." {...form.field('message')}>
        <Textarea rows={6} />
      </Field>
      <Button type="submit" className="justify-self-start">
        Send Message
      </Button>
    </Form>
  )
}
