import type { Plugin } from 'vite'

/**
 * Asks the browser for the text faces together with the page: they are needed by the first paint, and without this they
 * would be found only after the style sheet has arrived.
 *
 * @param names beginnings of the font files' names
 */
export function preloadFonts(names: readonly string[]): Plugin {
  return {
    name: 'holdfast:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter(file => file.endsWith('.woff2') && names.some(name => file.includes(name)))
          .map(file => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}
