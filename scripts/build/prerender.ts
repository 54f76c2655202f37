/**
 * After the browser build: renders the public pages to HTML files, and writes the shell that every
 * other address starts from (shell.html), the sitemap, robots.txt, and the documentation as
 * Markdown.
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import type { RenderedPage } from '../../web/app/prerender.tsx'
import { llmsText, pageMarkdown, referenceMarkdown } from './docs-markdown.ts'

const prerendered = {
  '/': 'screens/landing.tsx',
  '/terms': 'screens/docs/terms.tsx',
  '/privacy': 'screens/docs/privacy.tsx',
  '/docs/developer': 'screens/docs/developer-docs.tsx',
  '/docs/editors': 'screens/docs/editor-docs.tsx',
}
const publicUrl = (process.env.PUBLIC_URL || 'https://cutindex.com').replace(/\/$/, '')

export function prerender(): Plugin {
  let root = ''
  let outDir = ''
  let bundle: Rolldown.OutputBundle = {}
  return {
    name: 'cutindex-prerender',
    apply: (_, { isSsrBuild }) => !isSsrBuild,
    configResolved(config) {
      root = config.root
      outDir = resolve(root, config.build.outDir)
    },
    writeBundle(_, written) {
      bundle = written
    },
    async closeBundle() {
      const template = await readFile(join(outDir, 'index.html'), 'utf8')
      const renderPage = await buildRenderer(root, outDir)
      await writeFile(join(outDir, 'shell.html'), template)
      for (const [path, screen] of Object.entries(prerendered)) {
        const page = await renderPage(path)
        const head = headOf(path, page) + preloadsOf(bundle, screen)
        const file = join(outDir, path, 'index.html')
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, carryStyles(fill(template, head, page.html), bundle))
        if (path.startsWith('/docs/')) {
          await writeFile(join(outDir, `${path}.md`), pageMarkdown(page.html))
        }
      }
      await writeFile(join(outDir, 'docs/api.md'), referenceMarkdown())
      await writeFile(join(outDir, 'llms.txt'), llmsText(publicUrl))
      await writeFile(join(outDir, 'sitemap.xml'), sitemap())
      await writeFile(join(outDir, 'robots.txt'), robots())
      await rm(join(outDir, '.prerender'), { recursive: true, force: true })
      await compress(outDir)
    },
  }
}

async function buildRenderer(
  root: string,
  outDir: string,
): Promise<(path: string) => Promise<RenderedPage>> {
  const directory = join(outDir, '.prerender')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: join(root, 'app/prerender.tsx'),
      outDir: directory,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'render.mjs' } },
    },
  })
  const module = (await import(pathToFileURL(join(directory, 'render.mjs')).href)) as {
    renderPage: (path: string) => Promise<RenderedPage>
  }
  return module.renderPage
}

function fill(template: string, head: string, html: string): string {
  return template
    .replace(/<title>.*?<\/title>\s*/s, '')
    .replace(/<meta\s+name="description"[^>]*>\s*/s, '')
    .replace('</head>', () => `${head}</head>`)
    .replace('<div id="app"></div>', () => `<div id="app">${html}</div>`)
}

/** The styles travel with the page: its first paint waits for nothing else. */
function carryStyles(html: string, bundle: Rolldown.OutputBundle): string {
  return html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)">/g, (link, name: string) => {
    const file = bundle[name]
    return file?.type === 'asset' ? `<style>${String(file.source)}</style>` : link
  })
}

function headOf(path: string, page: RenderedPage): string {
  const title = escape(page.title)
  const description = escape(page.description)
  const address = publicUrl + path
  return [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}" />`,
    `<link rel="canonical" href="${address}" />`,
    `<meta property="og:type" content="website" />`,
    `<meta property="og:site_name" content="CutIndex" />`,
    `<meta property="og:title" content="${title}" />`,
    `<meta property="og:description" content="${description}" />`,
    `<meta property="og:url" content="${address}" />`,
    `<meta property="og:image" content="${publicUrl}/og.png" />`,
    `<meta name="twitter:card" content="summary_large_image" />`,
  ]
    .map((line) => `    ${line}\n`)
    .join('')
}

/**
 * The screen's own script and the text's font start to load with the page, not after its script.
 * The font of timecode is small print: it comes when the page has asked for it.
 */
function preloadsOf(bundle: Rolldown.OutputBundle, screen: string): string {
  const lines: string[] = []
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const chunk = chunks.find((file) => file.facadeModuleId?.endsWith(screen))
  if (!chunk) throw new Error(`No script was built for ${screen}.`)
  for (const file of [chunk.fileName, ...chunk.imports]) {
    lines.push(`<link rel="modulepreload" href="/${file}" />`)
  }
  const isFirstFont = (name: string): boolean => /geist-latin[^/]*\.woff2$/.test(name)
  for (const file of Object.keys(bundle).filter(isFirstFont)) {
    lines.push(`<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin />`)
  }
  return lines.map((line) => `    ${line}\n`).join('')
}

/** Compressed once here instead of at every request; pages are once the server has marked them. */
async function compress(outDir: string): Promise<void> {
  const names = await readdir(outDir, { recursive: true })
  for (const name of names.filter((name) => /\.(js|css|svg|xml|txt)$/.test(name))) {
    const file = join(outDir, name)
    const text = await readFile(file)
    await writeFile(`${file}.gz`, gzipSync(text, { level: 9 }))
    await writeFile(`${file}.br`, brotliCompressSync(text))
  }
}

function sitemap(): string {
  const urls = [...Object.keys(prerendered), '/docs/api'].map(
    (path) => `  <url><loc>${publicUrl}${path}</loc></url>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}

/** The signed-in screens send anybody without a session to `/`, a crawler like a person. */
function robots(): string {
  const closed = ['/oauth/', '/v1/']
  const lines = closed.map((path) => `Disallow: ${path}`)
  return `User-agent: *\n${lines.join('\n')}\nSitemap: ${publicUrl}/sitemap.xml\n`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
