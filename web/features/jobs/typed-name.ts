/** A field whose text goes into the address once typing pauses, and follows it otherwise. */
export interface TypedName {
  text: string
  /** The last known name of the address. */
  known: string
  /** The text that this field put into the address last. */
  asked: string
}

/** Takes a change of the address that this field did not make. */
export function followAddress(field: TypedName, address: string): TypedName {
  if (address === field.known) return field
  const isOwn = address === field.asked
  return { ...field, known: address, text: isOwn ? field.text : address, asked: address }
}
