import { CallError } from '../../../contract/endpoint.ts'
import type { SearchHit } from '../../../contract/footage/search.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { newSelect } from '../../app/new-select.ts'
import { showToast } from '../../ui/toast.tsx'

const maxAttempts = 5

/** Keeps the frames of a search hit as a select of its job, without opening it. */
export async function addHitToSelects(hit: SearchHit): Promise<void> {
  const params = { id: hit.job_id }
  const range = { startFrame: hit.start_frame, endFrame: hit.end_frame }
  try {
    const { select, isNew } = await addSelect(params, range)
    const message = `“${select.name}” of ${hit.content_name}, at ${hit.timecode}`
    showToast({ type: 'success', title: isNew ? 'Select added' : 'Already a select', message })
  } catch (error) {
    showFailure(error, { fallback: 'We couldn’t add the select. Please try again.' })
  }
}

/** Once more from what is saved, where somebody saves at the same moment. */
async function addSelect(
  params: { id: string },
  range: { startFrame: number; endFrame: number },
): Promise<ReturnType<typeof newSelect>> {
  for (let attempt = 1; ; attempt++) {
    const { review, version } = await api.getReview({ params })
    const added = newSelect(review.selects, range)
    if (!added.isNew) return added
    const selects = [...review.selects, added.select]
    try {
      await api.saveReview({ params, body: { ...review, selects, version } })
      return added
    } catch (error) {
      const isMeanwhile = error instanceof CallError && error.code === 'conflict'
      if (!isMeanwhile || attempt === maxAttempts) throw error
    }
  }
}
