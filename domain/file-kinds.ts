/** Tells the kind of a file by its name. */

/** Footage and sound. */
export const footageName =
  /\.(mp4|mov|m4v|mxf|mkv|webm|avi|mts|m2ts|mpg|mpeg|wmv|wav|aif|aiff|mp3|m4a|flac|ogg|opus|braw|r3d)$/i

const stillName = /\.(jpe?g|png|tiff?|webp|gif)$/i

/** A file of such a name that holds no picture and no sound is damaged. */
export function isMediaName(name: string): boolean {
  return footageName.test(name) || stillName.test(name)
}

/** Sidecars that cameras write beside a clip: lists, small copies, positions, repair data. */
const sidecarName = /\.(xml|thm|lrv|cpf|bim|mif|smi|rsv|ppn)$/i

export function isSidecar(name: string): boolean {
  return sidecarName.test(name)
}
