import { RATINGS } from '@holdfast/kernel/reviews'
import { Star } from 'lucide-react'
import { classes } from '../lib/class-names.js'

/** A rating as five stars, of which so many are filled. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span role="img" aria-label={`${rating} of 5 stars`} className="inline-flex gap-0.5">
      {RATINGS.map(each => (
        <Star
          key={each}
          aria-hidden="true"
          className={classes('size-4', each <= rating ? 'fill-current' : 'text-edge')}
        />
      ))}
    </span>
  )
}
