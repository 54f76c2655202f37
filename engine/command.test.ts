import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeClip } from './clips.testing.ts'
import { isWholeRun, slow } from '../test/support/slow.ts'
import { useFolder } from '../test/support/use.ts'

const command = fileURLToPath(new URL('./analyse-command.ts', import.meta.url))

describe('the analyse command', () => {
  const folder = useFolder()

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
      [[missing, '--in', 'noon'], '--in takes seconds, not "noon".'],
      [[missing, '--in', '5', '--out', '3'], 'in comes before out.'],
      [[missing, '--in=-5'], '--in takes seconds, not "-5".'],
      [[missing, '--language', 'english'], '--language takes a code such as de, not "english".'],
      [[missing, '--audio-track', '0'], 'Audio tracks are counted from 1.'],
      [[command, '--dir', command], `${command} is no folder that can be written to.`],
    ]
    for (const [words, sentence] of isWholeRun ? cases : cases.slice(0, 4)) {
      const { code, stdout, stderr } = await run(words)
      assert.equal(code, 2, words.join(' '))
      assert.equal(stderr.split('\n')[0], sentence)
      assert.equal(stdout, '')
    }
  })

  it('says what an export lacks, and what was not there', slow, async () => {
    const clip = await makeClip(
      folder,
      '-f lavfi -i testsrc2=s=64x36:r=25:d=1 -f lavfi -i sine=d=1 -c:v mpeg4 -c:a aac a.mp4',
    )
    const words = [clip, '--extractors', 'shots', '--export', 'srt', '--audio-track', '3']
    const { code, stdout, stderr } = await run([...words, '--in', '0.5'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^There is 1 audio track: the first was heard\.$/m)
    assert.match(stderr, /^There is no transcript in these findings: run transcription\.\n$/m)
    const late = await run([clip, '--extractors', 'shots', '--in', '7'])
    assert.match(late.stderr, /^The media ends at 1\.000 s/m)
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
