/** Subtitles in the language that is spoken, or in English where the job was translated. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeClip } from '../../engine/clips.testing.ts'
import { violationsInLooks } from '../support/axe.ts'
import { signedIn, visit } from '../support/browser.ts'
import { openStudio, pickFormat, textOf } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { setTranscript } from '../support/transcript.ts'
import { use } from '../support/use.ts'

describe('subtitles of a translated job', slow, () => {
  const studio = use(openStudio)

  test('the subtitles of a translated job are saved as spoken, or in English', async () => {
    const user = await studio.server.user()
    const clip = await makeClip(
      studio.folder,
      `-f lavfi -i color=0x808080:size=320x180:rate=25:duration=2
      -f lavfi -i sine=frequency=1000:duration=2 -c:v libx264 -preset ultrafast german.mp4`,
    )
    const content = await studio.upload(user, clip)
    const { id: jobId } = await studio.finish(user, content.id, 'thumbnail,transcription')
    const spokenAt = (text: string, frame: number) => ({
      ...{ text, start_frame: frame, end_frame: frame + 10 },
      ...{ start_time: `${frame}/25`, end_time: `${frame + 10}/25` },
      ...{ start: frame / 25, end: (frame + 10) / 25 },
    })
    await setTranscript(
      studio.server,
      { jobId, accountId: user.accountId },
      [
        { text: 'Guten', frame: 5 },
        { text: 'Morgen', frame: 16 },
      ],
      {
        language: 'de',
        translation: {
          ...{ language: 'en', text: 'Good morning' },
          words: [spokenAt('Good', 5), spokenAt('morning', 16)],
        },
      },
    )
    const { page, close } = await visit(studio.browser, `${studio.server.url}/jobs/${jobId}`, {
      storage: signedIn(user),
    })
    const dialog = page.getByRole('dialog', { name: 'Export' })
    const languages = dialog.getByLabel('Language of the subtitles')
    const save = async (format: RegExp, language?: string): Promise<string> => {
      await page.getByRole('button', { name: /^Export/ }).click()
      await pickFormat(page, format)
      if (language) await languages.selectOption({ label: language })
      const waiting = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Download' }).click()
      const saved = await textOf(await waiting)
      await dialog.waitFor({ state: 'detached' })
      return saved
    }
    assert.match(await save(/^SRT/), /Guten Morgen/)
    assert.match(await save(/^SRT/, 'English'), /Good morning/)
    assert.match(await save(/^WebVTT|^VTT/, 'English'), /Good morning/)
    assert.match(await save(/^SRT/, 'As spoken (German)'), /Guten Morgen/)
    await page.getByRole('button', { name: /^Export/ }).click()
    await pickFormat(page, /^SRT/)
    await languages.waitFor()
    assert.deepEqual(await violationsInLooks(page, '[role=dialog]'), [])
    await dialog.getByRole('radio', { name: /^EDL/ }).check()
    await languages.waitFor({ state: 'detached' })
    await close()
  })
})
