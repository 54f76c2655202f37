/** Makes one proxy and the sheets of one sprite out of the pieces that parts of a film wrote. */
import { rename, rm, writeFile } from 'node:fs/promises'
import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sheetNames } from '../extractors/gather.ts'
import { sheetOutput } from '../pass/arguments.ts'
import { proxyFileName } from '../pass/plan.ts'
import type { SpriteGrid } from '../pass/plan.ts'
import { inputGuards, runTool } from '../tools/run.ts'
import { lengthOf } from './plan-film.ts'
import type { Film } from './plan-film.ts'

interface Options {
  workDir: string
  signal?: AbortSignal
}

const wallMs = 600_000
const listName = 'proxy.txt'
/** The concat demuxer is safe here: the list is our own and names only our own files. */
const ownList = ['-protocol_whitelist', 'file', '-format_whitelist', 'concat,mov', '-safe', '1']
const ownFrames = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', 'rawvideo']

/** Joins the pieces of the proxy; null if that is impossible. */
export async function joinProxy(
  film: Film,
  pieces: {
    parts: readonly { proxy: string | null; startFrame: number; endFrame: number }[]
    sound: string | null
  },
  { workDir, signal }: Options,
): Promise<string | null> {
  const proxies = pieces.parts.flatMap(({ proxy }) => proxy ?? [])
  if (proxies.length < pieces.parts.length) return null
  const lines = pieces.parts.map(
    (part) => `file '${part.proxy}'\nduration ${lengthOf(film, part).toFixed(6)}`,
  )
  const list = path.join(workDir, listName)
  await writeFile(list, `ffconcat version 1.0\n${lines.join('\n')}\n`)
  const sound = pieces.sound === null ? null : path.join(workDir, pieces.sound)
  const { end } = await runTool({
    tool: 'ffmpeg',
    input: sound ?? list,
    outDir: workDir,
    alsoReads: [listName, ...proxies],
    wallMs,
    signal,
    args: (paths) => [
      // Copied timestamps keep late sound at its time.
      ...['-v', 'error', '-nostdin', '-y', '-copyts'],
      ...[...ownList, '-f', 'concat', '-i', path.join(paths.out, listName)],
      ...(sound ? [...inputGuards, '-i', paths.input] : []),
      ...['-map', '0:v', ...(sound ? ['-map', '1:a'] : []), '-c', 'copy'],
      ...['-movflags', '+faststart', '-map_metadata', '-1'],
      ...['-f', 'mp4', path.join(paths.out, proxyFileName)],
    ],
  })
  signal?.throwIfAborted()
  return end === 'done' ? proxyFileName : null
}

/** A proxy without video is its sound. */
export async function nameProxy(
  sound: string | null,
  { workDir }: Options,
): Promise<string | null> {
  if (sound === null) return null
  await rename(path.join(workDir, sound), path.join(workDir, proxyFileName))
  return proxyFileName
}

/** Returns the names of the sheets. */
export async function joinTiles(
  names: readonly string[],
  { tileWidth, tileHeight, columns, rows }: SpriteGrid,
  { workDir, signal }: Options,
): Promise<string[]> {
  const tiles = path.join(workDir, 'tiles.yuv')
  for (const [at, name] of names.entries()) {
    const flags = at === 0 ? 'w' : 'a'
    await pipeline(createReadStream(path.join(workDir, name)), createWriteStream(tiles, { flags }))
    await rm(path.join(workDir, name))
  }
  if (names.length === 0) return []
  await runTool({
    tool: 'ffmpeg',
    input: tiles,
    outDir: workDir,
    wallMs,
    signal,
    args: (paths) => [
      ...['-v', 'error', '-nostdin', '-y', ...ownFrames, '-f', 'rawvideo'],
      ...['-pixel_format', 'yuv420p', '-video_size', `${tileWidth}x${tileHeight}`],
      ...['-i', paths.input, '-vf', `setsar=1,tile=${columns}x${rows}`, ...sheetOutput(paths)],
    ],
  })
  signal?.throwIfAborted()
  await rm(tiles, { force: true })
  return await sheetNames(workDir)
}
