/**
 * `npm run package`: the client as an npm package, plain JavaScript with declarations and without
 * dependencies, packed into the working directory. `buildPackage` lays it out in a folder.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { contractTypes } from './package-types.ts'
import { slimContract } from './slim-contract.ts'

const root = resolve(import.meta.dirname, '../..')

if (import.meta.main) {
  const folder = join(root, 'node_modules/.cache/package')
  await buildPackage(folder)
  execFileSync('npm', ['pack', folder], { stdio: 'inherit' })
}

export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  await bundle(folder, version)
  writeTypes(folder)
  const manifest = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as object
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, version }, null, 2)}\n`,
  )
  cpSync(join(root, 'client/README.md'), join(folder, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

async function bundle(folder: string, version: string): Promise<void> {
  const core = await rolldown({
    input: { cutindex: join(root, 'client/cutindex.ts'), files: join(root, 'client/files.ts') },
    platform: 'neutral',
    external: /^node:/,
    plugins: [{ ...slimContract(), apply: undefined } as never],
  })
  await core.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  })
  const command = await rolldown({
    input: { command: join(root, 'client/command/main.ts') },
    platform: 'node',
    transform: { define: { CUTINDEX_VERSION: JSON.stringify(version) } },
    plugins: [{ ...slimContract(), apply: undefined } as never],
  })
  const built = await command.write({ dir: join(folder, 'command'), format: 'esm', minify: true })
  const modules = built.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(folder, 'NOTICE.md'), noticeOf(modules))
  chmodSync(join(folder, 'command/command.js'), 0o755)
}

/** The licences of what the command line carries. */
function noticeOf(modules: readonly string[]): string {
  const names = modules.map((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? '')
  const texts = [...new Set(names.filter(Boolean))].sort().map((name) => {
    const folder = join(root, 'node_modules', name)
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
    return `## ${name}\n\n${file ? readFileSync(join(folder, file), 'utf8') : 'MIT'}`
  })
  return `# Third-party work in command/\n\n${texts.join('\n\n')}\n`
}

/** The compiler's declarations of client/, with everything of the contract from one plain file. */
function writeTypes(folder: string): void {
  const emitted = join(folder, '.types')
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--incremental']
  execFileSync(
    join(root, 'node_modules/.bin/tsc'),
    ['--project', 'tsconfig.client.json', ...options, 'false', '--outDir', emitted],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  mkdirSync(join(folder, 'types'))
  for (const file of globSync('**/client/*.d.ts', { cwd: emitted })) {
    const text = readFileSync(join(emitted, file), 'utf8')
      .replaceAll(/'\.\.\/(?:contract|domain)\/[\w/-]+\.ts'/g, "'./contract.js'")
      .replaceAll(/'\.\/([\w-]+)\.ts'/g, "'./$1.js'")
    writeFileSync(join(folder, 'types', basename(file)), text)
  }
  writeFileSync(join(folder, 'types/contract.d.ts'), contractTypes())
  appendFileSync(join(folder, 'types/cutindex.d.ts'), "export type * from './contract.js'\n")
  rmSync(emitted, { recursive: true })
}
