import { Loading, Skeleton } from '../../components/skeleton.js'

/** Shown in place of the card form until the form's code and its payment are loaded. */
export function CardFormSkeleton() {
  return (
    <Loading label="Preparing the payment">
      <div className="grid gap-5">
        <Skeleton className="h-16 w-full" />
        <div className="grid grid-cols-2 gap-4">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </div>
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-12 w-full" />
      </div>
    </Loading>
  )
}
