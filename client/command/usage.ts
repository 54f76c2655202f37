/** How the command is used, and what it says when it is not. */
import { speechOptions, usageLines } from '../../domain/job-options.ts'
import { extractorIds, fullAnalysis } from '../../domain/money/catalogue.ts'

const besides = extractorIds.filter((id) => !fullAnalysis.includes(id)).join(', ')

/** Something the person must change; ends the command with the given exit code. */
export class UsageError extends Error {
  exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.name = 'UsageError'
    this.exitCode = exitCode
  }
}

export const usage = `cutindex: analyse footage from the command line.

  cutindex login                         store a key (read from the terminal or standard input)
  cutindex analyse FILES… [options]      upload, analyse, write exports
  cutindex watch FOLDER [options]        do so with every new file of a folder
  cutindex quote FILES…|URLS… [options]  what it would cost; uploads files, starts nothing
  cutindex search WORDS…                 search transcripts and findings of the library
  cutindex export JOB… --export FORMAT   write the exports of jobs
  cutindex balance                       what can be spent
  cutindex mcp                           tools for agents, over standard input and output

Options
  --extractors LIST   comma-joined: ${extractorIds.join(', ')}
                      (the full analysis, without ${besides}, where nothing is named)
  --export LIST       comma-joined: edl, fcpxml, xml, json, csv, srt, vtt, otio, …
${usageLines(speechOptions)}
  --out DIR           where exports are written, and made if it is not there
                      (beside each file where nothing is named)
  --max-usd N         refuse what is quoted above this, for each file
  --parallel N        files at a time (4)
  --settle SECONDS    watch: how long a file must not have changed (3)
  --once              watch: end when everything that is there is done
  --limit N           search: how many hits (20)
  --api URL           the address of the service
  --json              one JSON object on a line for each result
  --help, --version

The key comes from CUTINDEX_API_KEY, else from the file that "login" wrote.

Exit codes
  0 done                     4 too little credit, or above a limit
  1 failed                   5 refused: wrong file, folder, address, id or field
  2 wrong usage              6 some of the files failed
  3 no key, or not allowed   7 the service could not be reached
                             130 interrupted
`
