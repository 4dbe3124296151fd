import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { lightRoutes } from './build/light-routes.ts'
import { preloadFonts } from './build/preload-fonts.ts'

const GATEWAY = process.env.GATEWAY_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), tailwindcss(), lightRoutes(), preloadFonts(['instrument-sans-latin', 'besley-latin'])],
  resolve: { conditions: ['source', 'module', 'browser'] },
  build: { target: 'es2022', sourcemap: true, assetsInlineLimit: 0 },
  server: { port: 5173, proxy: { '/api': GATEWAY } },
})
