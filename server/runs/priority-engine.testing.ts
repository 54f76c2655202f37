/** An engine for tests: it returns at once how patient it is. */
import os from 'node:os'
import { serve } from '../../engine/processes/serve.ts'

serve({ run: () => ({ priority: os.getPriority() }) })
