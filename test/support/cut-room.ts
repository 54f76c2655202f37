/** A project of five spoken clips and its cuts in Chromium; one for all tests of a file. */
import type { Locator, Page } from 'playwright-core'
import { newRange } from '../../domain/cuts/cut-edit.ts'
import type { Cut } from '../../contract/footage/cuts.ts'
import type { CutRange } from '../../domain/cuts/cut.ts'
import type { TestUser } from './app.ts'
import { signedIn, visit } from './browser.ts'
import type { Visit, VisitOptions } from './browser.ts'
import { openStudio } from './browser-job-app.ts'
import type { Studio } from './browser-job-app.ts'
import { addSpokenClips } from './spoken-clips.ts'

export interface CutRoom {
  studio: Studio
  user: TestUser
  projectId: string
  clips: { contentId: string; jobId: string }[]
  open: (path: string, options?: VisitOptions) => Promise<Visit>
  makeCut: (ranges: CutRange[], name?: string) => Promise<string>
  /** Frames of a clip, by its place among the five. */
  range: (clip: number, from: number, to: number) => CutRange
  saved: (id: string) => Promise<Cut>
  stop: () => Promise<void>
}

export async function openCutRoom(): Promise<CutRoom> {
  const studio = await openStudio()
  const user = await studio.server.user()
  const projectId = (await user.client.createProject({ body: { name: 'River' } })).project.id
  const clips = await addSpokenClips(studio, user, { projectId, clips: spoken })
  return {
    studio,
    user,
    projectId,
    clips,
    open: (path, options = {}) =>
      visit(studio.browser, `${studio.server.url}${path}`, {
        storage: signedIn(user),
        ...options,
      }),
    async makeCut(ranges, name = 'Opening') {
      const body = { project_id: projectId, name, ranges }
      return (await user.client.createCut({ body })).cut.id
    },
    range: (clip, from, to) => newRange({ content_id: clips[clip]!.contentId, in: from, out: to }),
    saved: async (id) => (await user.client.getCut({ params: { id }, query: {} })).cut,
    stop: () => studio.stop(),
  }
}

const spoken = [
  {
    name: 'A001.mp4',
    speaker: 'Lena',
    sentences: ['We waited for the fog', 'The fog came late'],
    cutPoints: [10, 19, 48],
  },
  {
    name: 'A002.mp4',
    speaker: 'Tom',
    sentences: ['In fog you steer by bell', 'We sold the boat'],
  },
  {
    name: 'A003.mp4',
    speaker: 'Lena',
    sentences: ['Nobody likes fog here', 'So um fog it is'],
  },
  { name: 'B001.mp4', speaker: 'Tom', sentences: ['Rain is worse than fog', 'The river rose'] },
  {
    name: 'B002.mp4',
    speaker: 'Ruth',
    sentences: ['Fog has a sound', 'Thick fog hides boats'],
  },
]

/** Waits until the page has nothing left to save. */
export function savedMark(page: Page, version: number): Promise<void> {
  return page.getByText(new RegExp(`Saved .* version ${version}`)).waitFor()
}

/** Waits for the words of the cut and chooses its first passage. */
export async function chooseFirstPassage(page: Page): Promise<void> {
  await page.getByText('waited', { exact: false }).waitFor()
  await passages(page)
    .first()
    .getByRole('button', { name: /^Move clip/ })
    .click()
}

export function passages(page: Page): Locator {
  return page.locator('[data-passage]')
}

export async function selectWords(page: Page, words: string): Promise<void> {
  await page.evaluate((wanted) => {
    for (const text of document.querySelectorAll('[data-words]')) {
      const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        const at = (node.nodeValue ?? '').indexOf(wanted)
        if (at >= 0) getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length)
        if (at >= 0) return
      }
    }
    throw new Error(`“${wanted}” is not in the text`)
  }, words)
}

export async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('It is not on the page.')
  return box
}
