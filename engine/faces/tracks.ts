/**
 * Follows faces through a video. Each is followed on its own, from where it is found until it is
 * lost: a sighting. Who it is gets decided afterwards (`recognise-faces.ts`), over all sightings of
 * the file.
 *
 * The detector is dear, so it runs only when it can find something new: at once after the picture
 * changed (a cut), else every half second while no face is known and every second while one is, and
 * not at all as long as the picture stands still. Between, the mesh of the last frame says where to
 * look next.
 */
import type { FaceModels } from './models.ts'
import { overlap, thumbDistance, thumbOf } from './crop-square.ts'
import type { Square } from './crop-square.ts'

/** One face from where it is detected until it is lost. */
export interface Sighting {
  /** Indexes of sampled frames: where the face begins, was last seen, and is given up. */
  first: number
  last: number
  end: number
  firstSquare: Square
  lastSquare: Square
  /** Vectors of the same person are close to each other. */
  description: Float32Array
  frames: number[]
  /** Height of the lips' inner gap ÷ distance of the eyes. */
  gaps: number[]
  /** Distance of the eyes in pixels of the 512 square: how far the gap can be trusted. */
  eyes: number[]
}

export interface FaceSightings {
  /** The sampled frames. */
  sampled: number[]
  /** Sorted by where they begin. */
  sightings: Sighting[]
}

interface Followed {
  sighting: Sighting
  square: Square
  lostFor: number
}

const samplesWithoutFace = 6
export const samplesWithFace = 13
const cutDistance = 18
const stillDistance = 1.2
const minMeshScore = 0.6
const minEyes = 14
const lostSamples = 3

export function createTracks(models: FaceModels): {
  look(rgb: Uint8Array, frame: number): void
  /** Starts as if the next frame were the first one. */
  breakOff(): void
  result(): FaceSightings
} {
  const sampled: number[] = []
  const sightings: Sighting[] = []
  let followed: Followed[] = []
  let sinceDetection = Infinity
  let previousThumb: Uint8Array | undefined
  let emptyThumb: Uint8Array | undefined

  function look(rgb: Uint8Array, frame: number) {
    const thumb = thumbOf(rgb)
    const isCut = previousThumb !== undefined && thumbDistance(previousThumb, thumb) > cutDistance
    previousThumb = thumb
    if (isCut) giveUp()
    followed = followed.filter((known) => follow(known, rgb, frame))
    sinceDetection++
    const wait = followed.length > 0 ? samplesWithFace : samplesWithoutFace
    const isStill = emptyThumb !== undefined && thumbDistance(emptyThumb, thumb) < stillDistance
    if (isCut || (sinceDetection >= wait && !(followed.length === 0 && isStill))) {
      sinceDetection = 0
      findNew(rgb, frame)
      emptyThumb = followed.length === 0 ? thumb : undefined
    }
    sampled.push(frame)
  }

  function giveUp() {
    for (const { sighting } of followed) sighting.end = sampled.length
    followed = []
  }

  /** Reads the face near its last position; false once it is gone. */
  function follow(known: Followed, rgb: Uint8Array, frame: number): boolean {
    const seen = read(rgb, known.square)
    if (!seen) {
      known.lostFor++
      if (known.lostFor < lostSamples) return true
      known.sighting.end = sampled.length
      return false
    }
    known.lostFor = 0
    known.square = seen.square
    note(known.sighting, seen, frame)
    return true
  }

  function findNew(rgb: Uint8Array, frame: number) {
    for (const { square } of models.detect(rgb)) {
      if (followed.some((known) => overlap(known.square, square) > 0.2)) continue
      const seen = read(rgb, square)
      if (!seen || followed.some((known) => overlap(known.square, seen.square) > 0.2)) continue
      const sighting: Sighting = {
        first: sampled.length,
        last: sampled.length,
        end: Infinity,
        firstSquare: seen.square,
        lastSquare: seen.square,
        description: models.describe(rgb, seen.square),
        frames: [],
        gaps: [],
        eyes: [],
      }
      sightings.push(sighting)
      followed.push({ sighting, square: seen.square, lostFor: 0 })
      note(sighting, seen, frame)
    }
  }

  function note(sighting: Sighting, seen: Seen, frame: number) {
    sighting.frames.push(frame)
    sighting.gaps.push(seen.gap)
    sighting.eyes.push(seen.eyes)
    sighting.lastSquare = seen.square
    sighting.last = sampled.length
  }

  function read(rgb: Uint8Array, square: Square): Seen | undefined {
    const { points, score } = models.mesh(rgb, square)
    if (score < minMeshScore) return undefined
    const seen = measure(points)
    return seen.eyes < minEyes ? undefined : seen
  }

  return {
    look,
    breakOff() {
      giveUp()
      sinceDetection = Infinity
      previousThumb = undefined
      emptyThumb = undefined
    },
    result() {
      giveUp()
      return { sampled, sightings }
    },
  }
}

interface Seen {
  square: Square
  gap: number
  eyes: number
}

/** Indexes of FaceMesh landmarks: outer corners of the eyes, and three pairs of the inner lips. */
const leftEye = 33
const rightEye = 263
const lipPairs = [
  [13, 14],
  [81, 178],
  [311, 402],
] as const

function measure(points: Float32Array): Seen {
  let minX = Infinity
  let minY = Infinity
  let maxX = -Infinity
  let maxY = -Infinity
  for (let at = 0; at < points.length; at += 3) {
    minX = Math.min(minX, points[at]!)
    maxX = Math.max(maxX, points[at]!)
    minY = Math.min(minY, points[at + 1]!)
    maxY = Math.max(maxY, points[at + 1]!)
  }
  // Distances include depth, so that a turning head does not seem to open its mouth.
  const eyes = apart(points, leftEye, rightEye, true)
  const lips = lipPairs.reduce((sum, [upper, lower]) => sum + apart(points, upper, lower, false), 0)
  return {
    eyes,
    gap: lips / lipPairs.length / Math.max(eyes, 1),
    square: {
      x: (minX + maxX) / 2,
      y: (minY + maxY) / 2,
      side: Math.max(maxX - minX, maxY - minY) * 1.5,
      angle: Math.atan2(
        points[rightEye * 3 + 1]! - points[leftEye * 3 + 1]!,
        points[rightEye * 3]! - points[leftEye * 3]!,
      ),
    },
  }
}

function apart(points: Float32Array, a: number, b: number, withDepth: boolean): number {
  return Math.hypot(
    points[a * 3]! - points[b * 3]!,
    points[a * 3 + 1]! - points[b * 3 + 1]!,
    withDepth ? points[a * 3 + 2]! - points[b * 3 + 2]! : 0,
  )
}
