/** Saves what was changed before the server makes an export, a link or an analysis of it. */
import { showToast } from '../ui/toast.tsx'

/** False, after saying so, where something could not be saved. */
export async function saveFirst(
  title: 'Not exported' | 'No link made' | 'Not analysed',
  ...things: readonly { save: () => Promise<boolean> }[]
): Promise<boolean> {
  const saved = await Promise.all(things.map((thing) => thing.save()))
  if (saved.every(Boolean)) return true
  const message = 'Your last changes are not saved yet. Try again once they are.'
  showToast({ type: 'error', title, message })
  return false
}
