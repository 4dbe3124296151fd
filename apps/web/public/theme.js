// Runs before the first paint, in a file of its own so that the page needs no inline script: a chosen theme must not flash.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden; then the page follows the system.
}
