import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { lightRoutes } from './build/light-routes.ts'
import { pageFiles } from './build/page-files.ts'
import { preloadFonts } from './build/preload-fonts.ts'

const GATEWAY = process.env.GATEWAY_URL ?? 'http://127.0.0.1:3000'

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
          // Without groups, each small module that a few pages share is a file and a request of its own. With them a page loads
          // about half as many files, and two kilobytes more.
          groups: [
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|react-error-boundary|scheduler|swr|wouter)\//,
              priority: 3,
            },
            { name: 'form', test: /react-hook-form|lib\/form/, minShareCount: 3, priority: 2 },
            {
              name: 'shared',
              test: /src\/|libs\/|lucide|virtual:routes/,
              minShareCount: 5,
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': GATEWAY } },
})
