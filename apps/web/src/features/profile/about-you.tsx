import { useSignedInUser } from '../../lib/current-user.js'
import { PersonalInformation } from './personal-information.js'

/** What a user says about themselves. It is loaded after the page, because the code of forms is large. */
export default function AboutYou() {
  return (
    <section>
      <h2 className="display mb-4 text-xl">Personal information</h2>
      <PersonalInformation user={useSignedInUser()} />
    </section>
  )
}
