/**
 * Tells people apart. A face that appears is compared with everyone seen before who is not on the
 * screen, so that ids survive cuts. Sightings come from one look at the film or from several parts
 * of it; only their order counts.
 */
import { overlap } from './crop-square.ts'
import type { Square } from './crop-square.ts'
import { samplesWithFace } from './tracks.ts'
import type { FaceSightings, Sighting } from './tracks.ts'

/** Sightings of one person, one entry for each sampled frame. */
export type FaceTrack = { face: string } & Pick<Sighting, 'frames' | 'gaps' | 'eyes'>

export interface FaceTracks {
  /** The sampled frames. */
  sampled: number[]
  tracks: FaceTrack[]
}

interface Person {
  track: FaceTrack
  descriptions: Float32Array[]
  lastSquare: Square
  /** The last sampled frame that showed the person, and the one at which the face was given up. */
  last: number
  end: number
}

/** Euclidean; measured 4 to 7 for one person, 8.5 and more for two. */
const samePersonDistance = 8
const descriptionsKept = 4
const maxPersons = 200

export function recogniseFaces({ sampled, sightings }: FaceSightings): FaceTracks {
  const persons: Person[] = []
  for (const sighting of sightings) {
    const person = findPerson(persons, sighting) ?? addPerson(persons, sighting)
    if (!person) continue
    append(person.track.frames, sighting.frames)
    append(person.track.gaps, sighting.gaps)
    append(person.track.eyes, sighting.eyes)
    person.lastSquare = sighting.lastSquare
    person.last = sighting.last
    person.end = sighting.end
  }
  return { sampled, tracks: persons.map((person) => person.track) }
}

/** Joins parts in order: frames count from the film's start, samples from each part's. */
export function joinSightings(parts: readonly FaceSightings[]): FaceSightings {
  const joined: FaceSightings = { sampled: [], sightings: [] }
  for (const { sampled, sightings } of parts) {
    const before = joined.sampled.length
    append(joined.sampled, sampled)
    for (const sighting of sightings) {
      joined.sightings.push({
        ...sighting,
        first: before + sighting.first,
        last: before + sighting.last,
        end: before + sighting.end,
      })
    }
  }
  return joined
}

function findPerson(persons: readonly Person[], sighting: Sighting): Person | undefined {
  const { description, first, firstSquare } = sighting
  let best: Person | undefined
  let nearest = samePersonDistance
  for (const person of persons) {
    const isOnScreen = person.end > first
    if (isOnScreen) continue
    // A face that briefly disappeared and is back at the same position needs less likeness.
    const isBack =
      first - person.last < samplesWithFace && overlap(person.lastSquare, firstSquare) > 0.4
    for (const known of person.descriptions) {
      const distance = distanceOf(known, description) * (isBack ? 0.75 : 1)
      if (distance < nearest) [best, nearest] = [person, distance]
    }
  }
  if (best && best.descriptions.length < descriptionsKept) best.descriptions.push(description)
  return best
}

function addPerson(persons: Person[], sighting: Sighting): Person | undefined {
  if (persons.length >= maxPersons) return undefined
  const { description, lastSquare, last, end } = sighting
  const track = { face: `face-${persons.length + 1}`, frames: [], gaps: [], eyes: [] }
  const person = { track, descriptions: [description], lastSquare, last, end }
  persons.push(person)
  return person
}

function append(target: number[], more: readonly number[]): void {
  for (const value of more) target.push(value)
}

function distanceOf(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index]! - b[index]!) ** 2
  return Math.sqrt(sum)
}
