import { useEffect } from 'react'

/** Names the page in the tab: "Browse · Holdfast". */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = title === 'Holdfast' ? title : `${title} · Holdfast`
  }, [title])
}
