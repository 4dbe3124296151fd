import { routes } from 'virtual:routes'
import type { ReviewRecord } from '@holdfast/contracts/reviews'
import type { Transaction } from '@holdfast/contracts/transactions'
import { MAX_REVIEW_LENGTH, RATINGS } from '@holdfast/kernel/reviews'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Textarea } from '../../components/input.js'
import { QueryState } from '../../components/query-state.js'
import { Segmented } from '../../components/segmented.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { Stars } from '../../components/stars.js'
import { serverWords } from '../../lib/api.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { formatDate } from '../../lib/time.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { otherParty } from './shared/deal.js'

/** What the parties of a completed deal wrote about each other, and the form of who has not written yet. */
export default function ReviewsSection({ deal }: { deal: Transaction }) {
  const query = useCall(routes.getReviewsOfDeal, { params: { id: String(deal.id) } })
  return (
    <section aria-labelledby="reviews">
      <h2 id="reviews" className="display mb-3 text-xl">
        Reviews
      </h2>
      <QueryState
        query={query}
        errorTitle="The reviews could not be loaded"
        loading={
          <Loading label="Loading reviews">
            <Skeleton className="h-24 w-full" />
          </Loading>
        }
      >
        {({ mayReview, reviews }) => (
          <div className="grid gap-6">
            {reviews.map(review => (
              <Written key={review.id} review={review} deal={deal} />
            ))}
            {mayReview && <ReviewForm deal={deal} />}
          </div>
        )}
      </QueryState>
    </section>
  )
}

function Written({ review: { authorId, rating, text, createdAt }, deal }: { review: ReviewRecord; deal: Transaction }) {
  const author = authorId === deal.buyer.id ? deal.buyer : deal.seller
  const isMine = author === deal[deal.viewerRole]
  return (
    <div className="border-l-2 border-rule pl-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        <span className="text-sm text-ink-soft">
          {isMine ? 'You' : author.firstName}, <time dateTime={createdAt}>{formatDate(new Date(createdAt))}</time>
        </span>
      </p>
      {text && <p className="mt-1 max-w-text typed">{text}</p>}
    </div>
  )
}

const EMPTY = { rating: '', text: '' }

function ReviewForm({ deal }: { deal: Transaction }) {
  const { user } = otherParty(deal)
  const form = useForm({
    initial: EMPTY,
    validate: ({ rating }) => ({ rating: rating === '' ? 'Choose 1 to 5 stars' : undefined }),
    asksToLeave: true,
  })
  const { give, busy } = useCommand(routes.createReview, {
    whether: 'your review was published',
    done: () => ['Review published'],
    refused: error =>
      error.status === 400 ? null : ['Error', serverWords(error, 'Your review was not published. Please try again.')],
    refresh: () => refresh(routes.getReviewsOfDeal, routes.getSeller, routes.listReviews),
  })
  async function submit({ rating, text }: typeof EMPTY) {
    const stars = RATINGS.find(each => String(each) === rating)
    if (!stars) return undefined
    return refusedFields(
      await give({ params: { id: String(deal.id) }, body: { rating: stars, text: text.trim() || null } }),
    )
  }
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      <p className="max-w-text text-ink-soft">
        How was it to trade with {user.firstName}? Everyone can read your review with your name. It cannot be changed
        later.
      </p>
      <Segmented
        legend="Stars"
        options={RATINGS.map(rating => ({ value: String(rating), label: String(rating) }))}
        value={form.values.rating}
        onChange={rating => form.set('rating', rating)}
        error={form.error('rating')}
      />
      <Field label="Your words" optional {...form.field('text')}>
        <Textarea rows={3} maxLength={MAX_REVIEW_LENGTH} />
      </Field>
      <Button type="submit" busy={busy} className="justify-self-start">
        {busy ? 'Publishing...' : 'Publish Review'}
      </Button>
    </Form>
  )
}
