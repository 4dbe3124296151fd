import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { lightRoutes } from './build/light-routes.ts'
import { pageFiles } from './build/page-files.ts'
import { isPartOfPages } from './build/page-parts.ts'
import { preloadFonts } from './build/preload-fonts.ts'

const GATEWAY = process.env.GATEWAY_URL ?? 'http://127.0.0.1:3000'

/** Our own code and the icons, of which every page has a few. */
const OURS = /src\/|libs\/|lucide|virtual:(admin-)?routes/
/** What only some pages share is no part of every page: those of a deal (three icons, too), a dispute and the console, or those about an account. */
const SHARED =
  /web\/src\/(?!features|components\/(alert-dialog|amount-field|copy-button|address-tabs)|lib\/use-draft)|libs\/(?!kernel\/src\/(disputes|settlement|fees|typed-amount|username|payments))|lucide(?!.*(banknote|clock-3|shield))|virtual:routes/
/**
 * The words of a deal’s money line, those about whose turn it is in a dispute, what pages about signing in share with others, the steps
 * of a wizard, the field for an amount, receipts, legal text, plans, and what keeps drafts. Only the pages that need them load them: each is a file of
 * its own.
 */
const OF_FEW =
  /auth\/shared\/|components\/(wizard|amount-field)|kernel\/src\/typed-amount|receipts\/shared\/|company\/prose|plans\/shared\/|lib\/use-draft|money-line\/(money-line|sentences)\.|disputes\/(shared\/turn\.view|case\/people)/

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    lightRoutes(),
    pageFiles(),
    preloadFonts(['instrument-sans-basic', 'besley-basic']),
    // The gateway sends these copies to browsers that accept them.
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|svg)$/, threshold: 1_000 }),
  ],
  resolve: { conditions: ['source', 'module', 'browser'] },
  build: {
    target: 'es2022',
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without groups, each small module that a few pages share is a file and a request of its own. With them a page loads 5 to
          // 9 files instead of 14 to 31, and two to five kilobytes more.
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|react-error-boundary|scheduler|swr|wouter)\//,
              priority: 4,
            },
            { name: 'form', test: /react-hook-form|lib\/form/, minShareCount: 3, priority: 3 },
            { name: 'app', test: OURS, tags: ['$initial'], priority: 2 },
            { name: 'shared', test: SHARED, minShareCount: 5, priority: 1 },
            // Not for the pages to browse and those about signing in: they load the form's code, which is large, and need few of these parts.
            {
              name: 'lists',
              test: /components\/(picture|empty-state)|kernel\/src\/images|icons\/image-off|use-drawn-later/,
            },
            // Only an admin's pages load it.
            { name: 'console', test: /features\/admin\/shared\/(use-)?console/, priority: 1 },
            {
              name: (module, graph) =>
                !OF_FEW.test(module) && isPartOfPages(module, graph, { of: 2, without: /features\/auth\/|browse-page/ })
                  ? 'parts'
                  : null,
              debugName: 'parts',
              test: OURS,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': GATEWAY } },
})
