/** The media types of files, as the answers have them and the description names them. */
import { fileTypes } from '../domain/export-formats.ts'
import type { FileType } from '../domain/export-formats.ts'

/** By the endings of a job's files. */
export const fileMediaTypes: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt; charset=utf-8',
  '.bin': 'application/octet-stream',
}

/** Media types of the answers of an endpoint that exports in these formats. */
export function typesOfExports(formats: readonly FileType[]): string[] {
  return formats.map((format) => fileTypes[format].mediaType)
}
