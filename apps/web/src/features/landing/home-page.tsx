import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { NEWEST_LISTINGS } from '@holdfast/kernel/listings'
import { ButtonLink } from '../../components/button.js'
import { PageHead } from '../../components/page-head.js'
import { useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { usePages } from '../../lib/use-pages.js'
import { useIdle } from '../../lib/when-idle.js'
import { Custody } from './custody.js'
import { Features } from './features.js'
import { HowItWorks } from './how-it-works.js'
import { Pricing } from './pricing.js'
import { Statistics } from './statistics.js'
import { WhyChoose } from './why-choose.js'

export default function LandingPage() {
  const { user } = useSession()
  return (
    <>
      <PageHead page={pages.home} />
      <PreloadBrowse />
      <section className="page pt-10 pb-10 sm:pt-20 sm:pb-14">
        <h1 className="display max-w-[15ch] text-3xl sm:text-4xl">Your money stays put until the item is right.</h1>
        <p className="mt-5 max-w-xl text-lg text-ink-soft">
          You pay, Holdfast holds it. The seller ships, you inspect, and only then does the money move on. Until then
          neither side can spend it, and neither can we.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <ButtonLink to={user ? paths.createListing : paths.auth} size="lg">
            Start Transaction
          </ButtonLink>
          <ButtonLink to={paths.auth} kind="quiet" size="lg">
            Get Started
          </ButtonLink>
        </div>
      </section>
      <HowItWorks />
      <WhyChoose />
      <Features />
      <Custody />
      <Statistics />
      <Pricing />
      <section className="page">
        <div className="grid gap-6 border-t-2 border-ink pt-10 md:grid-cols-[1fr_auto] md:items-end">
          <div>
            <h2 className="display max-w-[22ch] text-2xl sm:text-3xl">
              Agree first. Pay second. Receive, then release.
            </h2>
            <p className="mt-3 max-w-text text-ink-soft">
              An account is free. You pay a fee only on transactions that you enter.
            </p>
          </div>
          <ButtonLink to={paths.auth} size="lg">
            Sign Up Now
          </ButtonLink>
        </div>
      </section>
    </>
  )
}

/** Loads what /browse shows first, once this page has nothing else to do. */
function PreloadBrowse(): null {
  const isIdle = useIdle()
  usePages(routes.listListings, isIdle ? { query: NEWEST_LISTINGS } : null)
  return null
}
