import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { prerender } from './scripts/build/prerender.ts'
import { slimContract } from './scripts/build/slim-contract.ts'

const root = resolve(import.meta.dirname, 'web')

/**
 * Few files instead of fifty small ones: they compress better, and a browser that asks for six at a
 * time has them sooner. What every page needs is one file beside the platform, what the landing page and
 * the reference share with the signed-in screens are two, and what only those share is the last.
 */
const chunkGroups = [
  {
    name: 'platform',
    test: /node_modules\/(react|react-dom|scheduler|react-router)\//,
    priority: 4,
  },
  { debugName: 'base', name: groupOf('base', (needs) => needs('app/main.tsx')), priority: 3 },
  {
    debugName: 'shared',
    name: groupOf(
      'shared',
      (needs) => needs('screens/landing.tsx') && needs('screens/dashboard.tsx'),
    ),
    priority: 2,
  },
  {
    debugName: 'parts',
    name: groupOf(
      'parts',
      (needs) => needs('screens/docs/api-reference.tsx') && needs('screens/dashboard.tsx'),
    ),
    priority: 1,
  },
  {
    debugName: 'app',
    name: groupOf('app', (needs) => needs('screens/dashboard.tsx') && needs('screens/profile.tsx')),
  },
]

function groupOf(name: string, isIn: (needs: (file: string) => boolean) => boolean) {
  return (id: string, graph: Graph): string | null =>
    isIn((file) => importsOf(graph, file).has(id)) ? name : null
}

interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}

const known = new Map<string, Set<string>>()

/** Everything that a module of the web imports without being asked later. */
function importsOf(graph: Graph, file: string): Set<string> {
  const start = resolve(root, file)
  const found = known.get(start) ?? new Set<string>()
  if (known.has(start)) return found
  known.set(start, found)
  const waiting = [start]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  found.delete(start)
  return found
}

/** Marks the page as the server does: `npm run dev` hands /v1 to the API. */
function apiOnSameOrigin(): Plugin {
  const attrs = { name: 'cutindex-api', content: 'same-origin' }
  return {
    name: 'cutindex-same-origin',
    transformIndexHtml: () => [{ tag: 'meta', attrs, injectTo: 'head' }],
  }
}

export default defineConfig(({ command }) => ({
  root,
  plugins: [
    react(),
    tailwindcss(),
    slimContract(),
    command === 'build' ? prerender() : apiOnSameOrigin(),
  ],
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
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
}))
