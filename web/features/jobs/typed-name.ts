/** A field whose text goes into the address a moment after it was typed, and follows it otherwise. */
export interface TypedName {
  text: string
  /** Of the address, as it was seen last. */
  known: string
  /** What this field asked of the address last. */
  asked: string
}

/** What somebody else wrote into the address, or cleared from it, is taken; one's own is not. */
export function followAddress(field: TypedName, address: string): TypedName {
  if (address === field.known) return field
  const isOwn = address === field.asked
  return { ...field, known: address, text: isOwn ? field.text : address, asked: address }
}
