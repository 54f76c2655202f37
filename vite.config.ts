import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { prerender } from './scripts/prerender.ts'

const root = resolve(import.meta.dirname, 'web')

export default defineConfig(({ command }) => ({
  root,
  plugins: [react(), tailwindcss(), ...(command === 'build' ? [prerender()] : [])],
  define: command === 'serve' ? { 'import.meta.env.VITE_PREVIEW': 'true' } : {},
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    // Every script and font is a file of its own: the content security policy allows no inline one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    target: 'es2022',
    rolldownOptions: {
      output: {
        // What every page needs comes as one file: it compresses better and arrives sooner.
        codeSplitting: {
          groups: [
            { name: 'platform', test: /node_modules\/(react|react-dom|scheduler|react-router)\// },
          ],
        },
      },
    },
  },
}))
