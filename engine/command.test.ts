import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('./analyse-command.ts', import.meta.url))

describe('the analyse command', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'analyse-command-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('explains itself', async () => {
    const { code, stdout, stderr } = await run(['--help'])
    assert.equal(code, 0)
    assert.match(stdout, /^Usage: npm run -s analyse -- FILE/)
    assert.equal(stderr, '')
  })

  it('answers wrong words and missing files with a sentence and 2', async () => {
    const missing = path.join(folder, 'missing.mp4')
    const cases: [string[], string][] = [
      [[], 'Name one file.'],
      [[missing], `${missing} does not exist or cannot be read.`],
      [[folder], `${folder} is not a file.`],
      [[missing, '--extractors', 'taste'], 'There is no extractor "taste".'],
      [[missing, '--export', 'avb'], 'There is no export "avb".'],
      [[missing, '--in', 'noon'], 'in and out are seconds.'],
      [[missing, '--audio-track', '0'], 'Audio tracks are counted from 1.'],
    ]
    for (const [words, sentence] of cases) {
      const { code, stdout, stderr } = await run(words)
      assert.equal(code, 2, words.join(' '))
      assert.equal(stderr.split('\n')[0], sentence)
      assert.equal(stdout, '')
    }
  })

  it('ends with 1 where no extractor can do anything', async () => {
    const text = path.join(folder, 'notes.txt')
    await writeFile(text, 'Take three is the good one.\n')
    const { code, stderr } = await run([text, '--extractors', 'shots'])
    assert.equal(code, 1)
    assert.match(stderr, /shots: skipped \(unsupported_source\)/)
  })
})

function run(words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [command, ...words], (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr })
    })
  })
}
