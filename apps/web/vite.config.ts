import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { lightRoutes } from './build/light-routes.ts'
import { preloadFonts } from './build/preload-fonts.ts'

const GATEWAY = process.env.GATEWAY_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    lightRoutes(),
    preloadFonts(['instrument-sans-basic', 'besley-basic']),
    // The gateway sends these copies to browsers that accept them.
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|svg)$/, threshold: 1_000 }),
  ],
  resolve: { conditions: ['source', 'module', 'browser'] },
  build: {
    target: 'es2022',
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    // The gateway reads it, and `npm run check` weighs the pages by it.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without groups, each small module that a few pages share is a file and a request of its own.
          groups: [
            { name: 'vendor', test: /node_modules\/(react|react-dom|react-router|scheduler|swr)\//, priority: 3 },
            { name: 'app', tags: ['$initial'], priority: 2 },
            { name: 'form', test: /react-hook-form|src\/lib\/form/, priority: 1 },
            // What most of the screens share, those that are loaded later included.
            { name: 'shared', minShareCount: 20 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': GATEWAY } },
})
