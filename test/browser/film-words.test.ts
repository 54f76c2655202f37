/** The transcript of a film fills while its parts are heard. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { violationsInLooks } from '../support/axe.ts'
import { signedIn, visit } from '../support/browser.ts'
import { openStudio } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { spokenFilm } from '../support/spoken-film.ts'
import { use } from '../support/use.ts'

describe('the transcript of a film in parts', { timeout: 600_000, ...slow }, () => {
  const studio = use(() => openStudio({ environment: spokenFilm.environment }))

  it('shows the words of the first part before the end, and the findings in their place after it', async () => {
    const { server, browser } = studio
    const user = await server.user()
    const content = await studio.upload(user, await spokenFilm.make(studio.folder))
    const unheard = studio.holdAt('part-claimed', async (id) => {
      const { rows } = await server.ctx.pool.query(
        `select from work where job_id = $1 and kind = 'speech'`,
        [id],
      )
      return rows.length > 0
    })
    const { job } = await user.client.createJob({
      body: { content_id: content.id, workflow: 'ffprobe,shots,transcription' },
    })
    await unheard.reached
    const { page, close } = await visit(browser, `${server.url}/jobs/${job.id}`, {
      storage: signedIn(user),
    })
    const tab = page.getByRole('tabpanel', { name: 'Transcript' })
    await tab.getByText('The first words appear here').waitFor()
    const heard = studio.holdAt(
      'part-claimed',
      async (id) => (await spokenFilm.heardParts(server.ctx, id)) > 0,
    )
    unheard.release()
    await heard.reached
    // Nobody touches the page: it hears of the part by itself.
    await tab.getByText(spokenFilm.first).waitFor()
    const note = tab.getByRole('status')
    assert.match(
      (await note.textContent()) ?? '',
      /^So far: up to 00:00:0\d:\d\d\. Speakers and final times come at the end\.$/,
    )
    assert.equal(await tab.getByText(spokenFilm.second).count(), 0)
    assert.equal(await tab.getByRole('button').count(), 0, 'there is nothing to correct or to seek')
    assert.deepEqual(await violationsInLooks(page), [])
    heard.release()
    await studio.untilEnded(user, job.id)
    await page.getByText('completed', { exact: true }).waitFor()
    await tab.getByText(spokenFilm.second).waitFor()
    await tab.getByRole('searchbox', { name: 'Find in the transcript' }).waitFor()
    assert.equal(await tab.getByText('So far').count(), 0)
    await close()
  })
})
