import type { SearchHit } from '../../../contract/search.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { newSelect } from '../../app/new-select.ts'
import { showToast } from '../../ui/toast.tsx'

/** Keeps the frames of a search hit as a select of its job, without opening it. */
export async function addHitToSelects(hit: SearchHit): Promise<void> {
  const params = { id: hit.job_id }
  const range = { startFrame: hit.start_frame, endFrame: hit.end_frame }
  try {
    const { review } = await api.getReview({ params })
    const { select, isNew } = newSelect(review.selects, range)
    if (isNew) {
      await api.saveReview({ params, body: { ...review, selects: [...review.selects, select] } })
    }
    const message = `“${select.name}” of ${hit.content_name}, at ${hit.timecode}`
    showToast({ type: 'success', title: isNew ? 'Select added' : 'Already a select', message })
  } catch (error) {
    showFailure(error, { fallback: 'We couldn’t add the select. Please try again.' })
  }
}
