/**
 * Imported before anything else: the schemas' sixty languages stay away, since no message of theirs
 * is shown by a command or a model, and to read them takes longer than the rest of the schemas.
 */
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== '../locales/index.js') return next(specifier, context)
    return { url: 'data:text/javascript,export{}', shortCircuit: true }
  },
})
