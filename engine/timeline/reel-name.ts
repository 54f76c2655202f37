/**
 * The reel as edit lists can hold it: letters, digits, _ and -, at most eight unless all are
 * wanted.
 */
export function reelName(name: string, full: boolean): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_+|_+$/g, '')
  const reel = full ? plain.slice(0, 64) : plain.toUpperCase().slice(0, 8).replace(/_+$/, '')
  // To CMX3600 this is black.
  if (/^bl$/i.test(reel)) return `${reel}_`
  return reel === '' ? 'AX' : reel
}
