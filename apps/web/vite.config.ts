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
    preloadFonts(['instrument-sans-latin', 'besley-latin']),
    // The gateway sends these copies to browsers that accept them.
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|svg)$/, threshold: 1_000 }),
  ],
  resolve: { conditions: ['source', 'module', 'browser'] },
  build: {
    target: 'es2022',
    sourcemap: 'hidden',
    assetsInlineLimit: 0,
    // Which files a page needs: `npm run check` weighs them (tools/dev/page-weight.js).
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Otherwise each small module that a few pages share is a file and a request of its own.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|swr|wouter)\// },
            { name: 'shared', test: /src\/(components|lib)\/|libs\//, minShareCount: 14 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': GATEWAY } },
})
