/**
 * `npm run -s analyse -- FILE [--extractors a,b] [--export format] [--json] [--in s] [--out s]
 * [--dir folder] [--audio-track n] [--model folder]`: the engine alone, without account or database.
 * Findings go to stdout, progress to stderr.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Reading the engine's sources anew would cost more than finding the shots of a short clip. It must
// be said before they are loaded, and where the folder cannot be written nothing is lost.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))
const { runCommand } = await import('./command.ts')
process.exitCode = await runCommand(process.argv.slice(2))
