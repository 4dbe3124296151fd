import { enquiryAdminRoutes, enquiryRoutes } from '@holdfast/contracts/enquiries'
import type { Members } from './open-accounts.js'

const ANSWERED = 'How long does the review of my documents take?'

/** What people wrote to Holdfast: one message is answered, and two wait. Started again it does what is missing. */
export async function writeEnquiries({ lena, emil, ines }: Members): Promise<void> {
  const open = await ines.call(enquiryAdminRoutes.listEnquiries, { query: {} })
  if (open.length === 0) {
    await lena.call(enquiryRoutes.openTicket, {
      body: {
        name: 'Lena Brandt',
        email: lena.person.email,
        category: 'account',
        subject: ANSWERED,
        message: 'I sent my documents this morning, and I would like to sell before the weekend.',
      },
    })
    await emil.call(enquiryRoutes.openTicket, {
      body: {
        name: 'Emil Sørensen',
        email: emil.person.email,
        category: 'technical',
        subject: 'My camera takes the pictures too large',
        message: 'The back of my ID has 60 MB. Which size do you need?',
      },
    })
    await emil.call(enquiryRoutes.sendEnterpriseEnquiry, {
      body: {
        ...{ firstName: 'Emil', lastName: 'Sørensen', email: emil.person.email },
        ...{ company: 'Sørensen Auctions', jobTitle: 'Owner', companySize: '50-99', monthlyVolume: '$100k-$500k' },
        message: 'We auction about forty lots a week, and would like to pay our consignors through you.',
      },
    })
  }
  const enquiries = await ines.call(enquiryAdminRoutes.listEnquiries, { query: {} })
  const asked = enquiries.find(({ subject, answer }) => subject === ANSWERED && answer === null)
  if (asked)
    await ines.call(enquiryAdminRoutes.answerEnquiry, {
      params: { id: asked.id },
      body: { text: 'It takes 1-2 business days. You can list items now: only a payout needs the review.' },
    })
}
