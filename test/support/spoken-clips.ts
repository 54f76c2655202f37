/** Real clips with proxies, in a project, whose words a test chose instead of having them heard. */
import { makeClip } from '../../engine/clips.testing.ts'
import type { TestUser } from './app.ts'
import type { Studio } from './browser-job-app.ts'
import { addFindings, transcriptOf } from './library-clips.ts'

export interface SpokenClip {
  name: string
  /** Each sentence is said within its own two seconds. */
  sentences: readonly string[]
  speaker: string
  /** Frames where a cut works; none: the clip was not searched for them. */
  cutPoints?: readonly number[]
}

const rate = 25
const framesOfSentence = 50

/** Uploads clips into a project, makes their proxies, and writes what is said in them. */
export async function addSpokenClips(
  studio: Studio,
  user: TestUser,
  { projectId, clips }: { projectId: string; clips: readonly SpokenClip[] },
): Promise<{ contentId: string; jobId: string }[]> {
  const added: { contentId: string; jobId: string }[] = []
  for (const [index, clip] of clips.entries()) {
    const seconds = (clip.sentences.length * framesOfSentence) / rate
    const path = await makeClip(
      studio.folder,
      `-f lavfi -i testsrc2=size=160x90:rate=${rate}:duration=${seconds}
       -f lavfi -i sine=frequency=${220 * (index + 1)}:duration=${seconds}
       -vf hue=h=${index * 60} -c:v libx264 -preset ultrafast -g 10 -pix_fmt yuv420p -c:a aac
       ${clip.name}`,
    )
    const content = await studio.upload(user, path)
    const job = await studio.finish(user, content.id, 'thumbnail')
    await user.client.updateContent({
      params: { id: content.id },
      body: { project_id: projectId },
    })
    await say(studio, user, job.id, clip)
    if (clip.cutPoints) await markCutPoints(studio, user, job.id, clip.cutPoints)
    added.push({ contentId: content.id, jobId: job.id })
  }
  return added
}

async function say(studio: Studio, user: TestUser, jobId: string, clip: SpokenClip): Promise<void> {
  const words = clip.sentences.flatMap((sentence, index) => wordsOf(sentence, index, clip.speaker))
  const whole = transcriptOf({ name: clip.name, frames: 0, words })
  let first = 0
  const sentences = clip.sentences.map((sentence) => {
    const count = sentence.split(' ').length
    const [from, to] = [whole.words[first]!, whole.words[first + count - 1]!]
    first += count
    return {
      start_frame: from.start_frame,
      end_frame: to.end_frame,
      start_time: from.start_time,
      end_time: to.end_time,
      start: from.start,
      end: to.end,
      text: sentence,
      first_word: first - count,
      last_word: first - 1,
    }
  })
  const findings = { ...whole, sentences, paragraphs: sentences }
  await addFindings(studio.server, user, { jobId, extractor: 'transcription', findings })
}

async function markCutPoints(
  studio: Studio,
  user: TestUser,
  jobId: string,
  frames: readonly number[],
): Promise<void> {
  const points = frames.map((frame) => ({
    frame,
    time: `${frame}/${rate}`,
    seconds: frame / rate,
    score: 0.9,
    reasons: ['pause'],
  }))
  const findings = { points, removals: [], curve: { bytes: '', frames: 0 } }
  await addFindings(studio.server, user, { jobId, extractor: 'cutpoints', findings })
}

/** Evenly over the sentence's time, with a pause of a few frames behind each word. */
function wordsOf(
  sentence: string,
  index: number,
  speaker: string,
): [string, number, number, string][] {
  const words = sentence.split(' ')
  const step = Math.floor((framesOfSentence - 4) / words.length)
  return words.map((word, at) => {
    const from = index * framesOfSentence + 2 + at * step
    return [word, from, from + step - 2, speaker]
  })
}
