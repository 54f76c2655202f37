/**
 * Follows faces through a video and tells people apart.
 *
 * The detector is dear, so it runs only when it can find something new: at once after the picture
 * changed (a cut), else every half second while no face is known and every second while one is, and
 * not at all as long as the picture stands still. Between, the mesh of the last frame says where to
 * look next. A face keeps its id while it is followed; when one appears, its description is
 * compared with those of all people seen before, so that ids survive cuts.
 */
import { overlap } from './models.ts'
import type { FaceModels } from './models.ts'
import { thumbDistance, thumbOf } from './picture.ts'
import type { Square } from './picture.ts'

/** What was seen of one person, one entry for each frame that was looked at. */
export interface FaceTrack {
  face: string
  frames: number[]
  /** Height of the lips' inner gap ÷ distance of the eyes. */
  gaps: number[]
  /** Distance of the eyes in pixels of the 512 square: how far the gap can be trusted. */
  eyes: number[]
}

export interface FaceTracks {
  /** The frames that were looked at. */
  sampled: number[]
  tracks: FaceTrack[]
}

interface Followed {
  person: Person
  square: Square
  lostFor: number
}

interface Person {
  track: FaceTrack
  descriptions: Float32Array[]
  last: Square
  lastSample: number
}

const samplesWithoutFace = 6
const samplesWithFace = 13
const cutDistance = 18
const stillDistance = 1.2
const minMeshScore = 0.6
const minEyes = 14
/** Euclidean; measured 4 to 7 for one person, 8.5 and more for two. */
const samePersonDistance = 8
const descriptionsKept = 4
const maxPersons = 200
const lostSamples = 3

export function createTracks(models: FaceModels): {
  look(rgb: Uint8Array, frame: number): void
  result(): FaceTracks
} {
  const sampled: number[] = []
  const persons: Person[] = []
  let followed: Followed[] = []
  let sinceDetection = Infinity
  let previousThumb: Uint8Array | undefined
  let emptyThumb: Uint8Array | undefined

  function look(rgb: Uint8Array, frame: number) {
    const thumb = thumbOf(rgb)
    const isCut = previousThumb !== undefined && thumbDistance(previousThumb, thumb) > cutDistance
    previousThumb = thumb
    if (isCut) followed = []
    followed = followed.filter((one) => follow(one, rgb, frame))
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

  /** Reads the face where it was last; false when it is gone. */
  function follow(one: Followed, rgb: Uint8Array, frame: number): boolean {
    const seen = read(rgb, one.square)
    if (!seen) return ++one.lostFor < lostSamples
    one.lostFor = 0
    one.square = seen.square
    note(one.person, seen, frame)
    return true
  }

  function findNew(rgb: Uint8Array, frame: number) {
    for (const { square } of models.detect(rgb)) {
      if (followed.some((one) => overlap(one.square, square) > 0.2)) continue
      const seen = read(rgb, square)
      if (!seen || followed.some((one) => overlap(one.square, seen.square) > 0.2)) continue
      const person = recognise(rgb, seen.square)
      if (!person) continue
      followed.push({ person, square: seen.square, lostFor: 0 })
      note(person, seen, frame)
    }
  }

  function recognise(rgb: Uint8Array, square: Square): Person | undefined {
    const description = models.describe(rgb, square)
    const free = persons.filter((person) => !followed.some((one) => one.person === person))
    let best: Person | undefined
    let nearest = samePersonDistance
    for (const person of free) {
      // Someone who was lost for a moment and is back in the same place needs less likeness.
      const isBack =
        sampled.length - person.lastSample < samplesWithFace && overlap(person.last, square) > 0.4
      for (const known of person.descriptions) {
        const distance = distanceOf(known, description) * (isBack ? 0.75 : 1)
        if (distance < nearest) [best, nearest] = [person, distance]
      }
    }
    if (best) {
      if (best.descriptions.length < descriptionsKept) best.descriptions.push(description)
      return best
    }
    if (persons.length >= maxPersons) return undefined
    const track = { face: `face-${persons.length + 1}`, frames: [], gaps: [], eyes: [] }
    const person = { track, descriptions: [description], last: square, lastSample: 0 }
    persons.push(person)
    return person
  }

  function note(person: Person, seen: Seen, frame: number) {
    person.track.frames.push(frame)
    person.track.gaps.push(seen.gap)
    person.track.eyes.push(seen.eyes)
    person.last = seen.square
    person.lastSample = sampled.length
  }

  function read(rgb: Uint8Array, square: Square): Seen | undefined {
    const { points, score } = models.mesh(rgb, square)
    if (score < minMeshScore) return undefined
    const seen = measure(points)
    return seen.eyes < minEyes ? undefined : seen
  }

  return {
    look,
    result: () => ({ sampled, tracks: persons.map((person) => person.track) }),
  }
}

interface Seen {
  square: Square
  gap: number
  eyes: number
}

/** Numbers of FaceMesh's points: outer corners of the eyes, and three pairs of the inner lips. */
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
  // With depth, so that a head that turns does not seem to open its mouth.
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

function distanceOf(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index]! - b[index]!) ** 2
  return Math.sqrt(sum)
}
