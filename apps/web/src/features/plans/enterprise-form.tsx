import { routes } from 'virtual:routes'
import type { enquiryRoutes } from '@holdfast/contracts/enquiries'
import type { Input as InputOf } from '@holdfast/contracts/route'
import {
  COMPANY_SIZES,
  ENTERPRISE_FAULTS,
  MAX_ENQUIRY_MESSAGE_LENGTH,
  MAX_ENQUIRY_NAME_LENGTH,
  MIN_ENTERPRISE_MESSAGE_LENGTH,
  MONTHLY_VOLUMES,
} from '@holdfast/kernel/enquiries'
import { MAX_EMAIL_LENGTH, MAX_PHONE_LENGTH } from '@holdfast/kernel/users'
import { Button, ButtonLink } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input, Textarea } from '../../components/input.js'
import { Notice } from '../../components/notice.js'
import { Select } from '../../components/select.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { emailFault } from '../../lib/form/rules.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'

const EMPTY = {
  firstName: '',
  lastName: '',
  email: '',
  company: '',
  jobTitle: '',
  companySize: '',
  monthlyVolume: '',
  phone: '',
  message: '',
}
type Values = typeof EMPTY

const blank = (text: string) => text.trim() === ''

/** What is missing, in the words of the spec. */
const faultsOf = (values: Values) => ({
  firstName: blank(values.firstName) ? ENTERPRISE_FAULTS.firstName : undefined,
  lastName: blank(values.lastName) ? ENTERPRISE_FAULTS.lastName : undefined,
  email: blank(values.email) || emailFault(values.email) ? ENTERPRISE_FAULTS.email : undefined,
  company: blank(values.company) ? ENTERPRISE_FAULTS.company : undefined,
  jobTitle: blank(values.jobTitle) ? ENTERPRISE_FAULTS.jobTitle : undefined,
  companySize: values.companySize === '' ? ENTERPRISE_FAULTS.companySize : undefined,
  monthlyVolume: values.monthlyVolume === '' ? ENTERPRISE_FAULTS.monthlyVolume : undefined,
  message: values.message.trim().length < MIN_ENTERPRISE_MESSAGE_LENGTH ? ENTERPRISE_FAULTS.message : undefined,
})

/** Asks for a price for a company. */
export default function EnterpriseForm() {
  const { give, busy, outcome } = useCommand(routes.sendEnterpriseEnquiry, {
    whether: 'your request has arrived',
    done: () => ['Request Submitted', 'Our enterprise team will contact you within 24 hours.'],
    refused: error => (error.status === 400 ? null : ['Error', 'Failed to submit request. Please try again.']),
    refresh: async () => undefined,
  })
  const isSent = outcome?.kind === 'done'
  const form = useForm({ initial: EMPTY, validate: faultsOf, asksToLeave: !isSent })
  if (isSent) return <Submitted number={outcome.answer.number} />
  return (
    <Form
      form={form}
      onSubmit={async values => refusedFields(await give({ body: complete(values) }))}
      className="grid gap-4"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="First Name" {...form.field('firstName')}>
          <Input autoComplete="given-name" maxLength={MAX_ENQUIRY_NAME_LENGTH} />
        </Field>
        <Field label="Last Name" {...form.field('lastName')}>
          <Input autoComplete="family-name" maxLength={MAX_ENQUIRY_NAME_LENGTH} />
        </Field>
      </div>
      <Field label="Work Email" {...form.field('email')}>
        <Input type="email" autoComplete="email" maxLength={MAX_EMAIL_LENGTH} />
      </Field>
      <Field label="Phone (optional)" {...form.field('phone')}>
        <Input type="tel" autoComplete="tel" maxLength={MAX_PHONE_LENGTH} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Company" {...form.field('company')}>
          <Input autoComplete="organization" maxLength={MAX_ENQUIRY_NAME_LENGTH} />
        </Field>
        <Field label="Job Title" {...form.field('jobTitle')}>
          <Input autoComplete="organization-title" maxLength={MAX_ENQUIRY_NAME_LENGTH} />
        </Field>
        <Field label="Company Size" {...form.field('companySize')}>
          <Select>
            <option value="">Choose</option>
            {COMPANY_SIZES.map(size => (
              <option key={size} value={size}>
                {size} employees
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Monthly Volume" {...form.field('monthlyVolume')}>
          <Select>
            <option value="">Choose</option>
            {MONTHLY_VOLUMES.map(volume => (
              <option key={volume} value={volume}>
                {volume}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label="What you need" {...form.field('message')}>
        <Textarea rows={5} maxLength={MAX_ENQUIRY_MESSAGE_LENGTH} />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? 'Submitting...' : 'Submit Request'}
      </Button>
    </Form>
  )
}

type Body = InputOf<typeof enquiryRoutes.sendEnterpriseEnquiry>['body']

/** The form does not send before both are chosen. */
const complete = ({ phone, ...values }: Values) => ({ ...values, ...(blank(phone) ? {} : { phone }) }) as Body

function Submitted({ number }: { number: number }) {
  return (
    <div className="grid gap-5">
      <Notice alert title={`Your request has arrived as no. ${number}.`}>
        We have mailed you this number. A person of our enterprise team reads it, and answers to the address that you
        gave.
      </Notice>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.home}>Back to Home</ButtonLink>
        <ButtonLink to={paths.upgrade} kind="quiet">
          Back to Plans
        </ButtonLink>
      </div>
    </div>
  )
}
