/** Starts the download of an address of this site. The browser shows its progress; the page stays. */
export function startDownload(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}
