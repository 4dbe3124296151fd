import { Loading, Skeleton } from '../../components/skeleton.js'

/** Rows of a table while they are loaded. */
export function LoadingList({ label }: { label: string }) {
  return (
    <Loading label={label}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map(row => (
        <Skeleton key={row} className="mb-2 h-8 w-full" />
      ))}
    </Loading>
  )
}
