/** An engine for tests: it ends at once and says how patient it is. */
import os from 'node:os'

process.once('message', () => {
  process.send!({ type: 'over', priority: os.getPriority() }, () => process.disconnect())
})
