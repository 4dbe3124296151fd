import type { PublicUser } from '@holdfast/contracts/users'
import { isClosedUsername } from '@holdfast/kernel/closed-username'
import { Star } from 'lucide-react'
import { Avatar } from '../../../components/avatar.js'
import { TextLink } from '../../../components/link.js'
import { fullName, ratingLabel } from '../../../lib/current-user.js'
import { paths } from '../../../lib/paths.js'
import { VerifiedMark } from './verified-mark.js'

interface PersonProps {
  user: PublicUser
  /** The words of the verified mark: 'Verified', 'Verified Seller'. */
  verifiedLabel?: string
  showRating?: boolean
  /** Whether the name leads to what everyone sees of them. */
  linked?: boolean
}

/** A person: name, @username, whether identity was checked, and how others rate them. Who closed their account has no username or profile. */
export function Person({ user, verifiedLabel, showRating = true, linked = false }: PersonProps) {
  const isClosed = isClosedUsername(user.username)
  return (
    <div className="flex items-center gap-3">
      <Avatar {...user} imageUrl={user.profileImageUrl} className="size-11 text-base" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 [overflow-wrap:anywhere]">
          {linked && !isClosed ? (
            <TextLink to={paths.seller(user.username)}>{fullName(user)}</TextLink>
          ) : (
            <span className="font-semibold">{fullName(user)}</span>
          )}
          {user.isVerified && <VerifiedMark {...(verifiedLabel ? { label: verifiedLabel } : {})} />}
        </p>
        <p className="flex items-center gap-2.5 text-sm text-ink-soft">
          {!isClosed && <span className="truncate">@{user.username}</span>}
          {showRating && <Rating rating={user.rating} />}
        </p>
      </div>
    </div>
  )
}

/** The mean of all reviews with one decimal; 'New' without any. */
export function Rating({ rating }: { rating: number | null }) {
  return (
    <span className="figures inline-flex items-center gap-1">
      <Star aria-label="Rating" className="size-3.5 fill-current" />
      {ratingLabel(rating)}
    </span>
  )
}
