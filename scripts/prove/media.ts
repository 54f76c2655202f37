/**
 * `npm run prove:media [-- count seed]`: mutated and hostile files through the engine. Promised are
 * no crash of the engine, no hang, no read of another file and no network. A decoder that falls
 * over in its room is contained and counts as a refusal.
 *
 * Another file would be seen by its size (no seed has 222 × 122 pixels), the network by a listener
 * that hostile files name. The same seed makes the same files.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { analyse } from '../../engine/analyse.ts'
import { probe } from '../../engine/probe.ts'
import { ensureSystemPackages, toTest } from '../system-packages.ts'
import { seeded } from '../../test/support/random.ts'

export interface MediaProof {
  files: number
  answers: Record<string, number>
  crashes: string[]
  hangs: string[]
  readsOutside: string[]
  connections: number
}

const execute = promisify(execFile)
const canary = { width: 222, height: 122 }
/** A file of a few kilobytes that takes longer hangs, whatever else the machine does. */
const hangMs = 120_000
const analyseEvery = 10

export async function proveMedia(input: {
  count: number
  seed: number
  onProgress?: (done: number) => void
}): Promise<MediaProof> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'prove-media-'))
  const proof: MediaProof = {
    files: 0,
    answers: {},
    crashes: [],
    hangs: [],
    readsOutside: [],
    connections: 0,
  }
  const listener = createServer((socket) => {
    proof.connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = listener.address() as AddressInfo
    const seeds = await makeSeeds(folder)
    const hostile = hostileFiles(path.join(folder, 'canary.mp4'), port)
    const next = sequence(input.count)
    const work = async (): Promise<void> => {
      for (let index = next(); index !== null; index = next()) {
        const random = seeded(input.seed * 1_000_003 + index)
        const bytes = index < hostile.length ? hostile[index]! : mutate(seeds, random)
        await tryFile(folder, index, bytes, proof)
        proof.files += 1
        input.onProgress?.(proof.files)
      }
    }
    await Promise.all([work(), work()])
    return proof
  } finally {
    listener.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function tryFile(
  folder: string,
  index: number,
  bytes: Buffer,
  proof: MediaProof,
): Promise<void> {
  const file = path.join(folder, `${index}.mp4`)
  const workDir = path.join(folder, `work-${index}`)
  await writeFile(file, bytes)
  const started = performance.now()
  try {
    const outcome = await probe(file)
    const answer = outcome.status === 'refused' ? outcome.code : outcome.media.kind
    proof.answers[answer] = (proof.answers[answer] ?? 0) + 1
    if (outcome.status !== 'refused') {
      const { width, height } = outcome.media
      if (width === canary.width && height === canary.height) proof.readsOutside.push(file)
    }
    if (index % analyseEvery === 0) {
      await analyse({
        file,
        extractors: ['ffprobe', 'shots', 'thumbnail'],
        workDir,
        maxSeconds: 20,
      })
    }
  } catch (error) {
    proof.crashes.push(`${index}: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await rm(file, { force: true })
    await rm(workDir, { recursive: true, force: true })
  }
  if (performance.now() - started > hangMs) proof.hangs.push(file)
}

/** One small file of each common kind. */
async function makeSeeds(folder: string): Promise<Buffer[]> {
  const picture = 'testsrc2=s=128x72:r=25:d=1'
  const sound = 'sine=d=1'
  const kinds: [string, string[]][] = [
    ['a.mp4', ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-c:a', 'aac']],
    ['a.mov', ['-c:v', 'mpeg4', '-c:a', 'pcm_s16le', '-timecode', '01:00:00:00']],
    ['a.mkv', ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'flac']],
    ['a.webm', ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']],
    ['a.ts', ['-c:v', 'mpeg2video', '-c:a', 'mp2']],
    ['a.avi', ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le']],
    ['a.mxf', ['-c:v', 'mpeg2video', '-c:a', 'pcm_s16le', '-ar', '48000']],
    ['a.flv', ['-c:v', 'flv1', '-c:a', 'libmp3lame', '-ar', '44100']],
    ['a.wav', ['-vn']],
    ['a.mp3', ['-vn']],
    ['a.flac', ['-vn']],
    ['a.ogg', ['-vn', '-c:a', 'libvorbis']],
    ['a.gif', ['-an']],
    ['a.png', ['-an', '-frames:v', '1']],
    ['a.jpg', ['-an', '-frames:v', '1']],
  ]
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const seeds: Buffer[] = []
  for (const [name, options] of kinds) {
    const file = path.join(folder, name)
    await execute('ffmpeg', [
      '-v',
      'error',
      '-y',
      ...inputs,
      '-pix_fmt',
      'yuv420p',
      ...options,
      file,
    ]).catch(async () => execute('ffmpeg', ['-v', 'error', '-y', ...inputs, ...options, file]))
    seeds.push(await readFile(file))
  }
  const { width, height } = canary
  const other = ['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=${width}x${height}:d=1`]
  await execute('ffmpeg', [...other, '-pix_fmt', 'yuv420p', path.join(folder, 'canary.mp4')])
  return seeds
}

/** Files that name others: playlists in many dresses, and containers with outside references. */
function hostileFiles(file: string, port: number): Buffer[] {
  const url = `http://127.0.0.1:${port}/x`
  const targets = [file, `file://${file}`, `file:${file}`, url, `tcp://127.0.0.1:${port}`]
  const texts = targets.flatMap((target) => [
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`,
    `\ufeff#EXTM3U\n#EXTINF:1,\n${target}\n`,
    `ffconcat version 1.0\nfile '${target}'\n`,
    `file '${target}'\n`,
    `<?xml version="1.0"?>\n<MPD><Period><BaseURL>${target}</BaseURL></Period></MPD>`,
    `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video ${port} RTP/AVP 96\n`,
    `[playlist]\nFile1=${target}\nNumberOfEntries=1\n`,
    `<svg xmlns="http://www.w3.org/2000/svg"><image href="${target}"/></svg>`,
    `${'\0'.repeat(8)}#EXTM3U\n${target}\n`,
    `RIFF\0\0\0\0WAVE#EXTM3U\n${target}\n`,
  ])
  return texts.map((text) => Buffer.from(text))
}

function mutate(seeds: readonly Buffer[], random: () => number): Buffer {
  const pick = (below: number): number => Math.floor(random() * below)
  let bytes = Buffer.from(seeds[pick(seeds.length)]!)
  const rounds = 1 + pick(4)
  for (let round = 0; round < rounds; round++) {
    const at = pick(bytes.length)
    switch (pick(7)) {
      case 0:
        for (let flips = 1 + pick(64); flips > 0; flips--) bytes[pick(bytes.length)] = pick(256)
        break
      case 1:
        bytes = bytes.subarray(0, Math.max(1, at))
        break
      case 2:
        // Sizes and counts stand in the head; extreme ones find the most.
        if (bytes.length > 8)
          bytes.writeUInt32BE(
            extremes[pick(extremes.length)]!,
            pick(Math.min(bytes.length - 4, 2048)),
          )
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), seeds[pick(seeds.length)]!.subarray(at)])
        break
      case 4:
        bytes.fill(pick(256), at, Math.min(bytes.length, at + pick(512)))
        break
      case 5:
        bytes = Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)])
        break
      default:
        if (bytes.length > 8)
          bytes.writeUInt32BE(extremes[pick(extremes.length)]!, pick(bytes.length - 4))
    }
  }
  return bytes
}

const extremes = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 0x10000, 0x01000000]

function sequence(count: number): () => number | null {
  let index = 0
  return () => (index < count ? index++ : null)
}

if (import.meta.main) {
  ensureSystemPackages(toTest)
  const [count = '10000', seed = '1'] = process.argv.slice(2)
  const total = Number(count)
  const proof = await proveMedia({
    count: total,
    seed: Number(seed),
    onProgress: (done) => done % 500 === 0 && console.error(`${done} of ${total}`),
  })
  console.log(JSON.stringify(proof, null, 2))
  const bad = proof.crashes.length + proof.hangs.length + proof.readsOutside.length
  process.exitCode = bad + proof.connections === 0 ? 0 : 1
}
