/** Apart from the schemas, so that the web can read them without zod. */
export const cutLimits = { cuts: 1000, ranges: 2000, removedOfRange: 500, versions: 50 }
