import { useState } from 'react'
import { toast } from '../lib/toast.js'
import { Button } from './button.js'

/** Copies a text. Screen readers hear what is copied. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch (error) {
      console.warn('the browser did not copy a text', error)
      toast('Not copied', 'Please select the text and copy it yourself.')
    }
  }
  return (
    <Button kind="quiet" size="sm" onClick={copy} aria-label={`${copied ? 'Copied' : 'Copy'}: ${label}`}>
      {copied ? 'Copied' : 'Copy'}
    </Button>
  )
}
