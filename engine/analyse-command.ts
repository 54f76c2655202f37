/**
 * `npm run -s analyse -- FILE [options]`: the engine without account or database. Writes findings
 * to stdout, progress to stderr; `--help` lists the options.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

// Starting must not cost more than finding the shots of a short clip, so before anything is loaded:
// sources are read as they were compiled the last time (where the folder cannot be written nothing
// is lost),
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))
await import('./skip-locales.ts')
// and the compiler that pays only after minutes stays out.
v8.setFlagsFromString('--no-opt')
const { runCommand } = await import('./command.ts')
process.exitCode = await runCommand(process.argv.slice(2))
