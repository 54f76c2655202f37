import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallBytes, smallHeight, smallWidth } from '../pass/plan.ts'
import { classifyShots } from './classify.ts'
import { createShotDetector } from './detector.ts'
import { isWholeRun } from '../../test/support/slow.ts'
import { seeded } from '../../test/support/random.ts'

type Scene = (x: number, y: number, frame: number) => number

/** Frames with texture at several sizes, different for each seed, that may move. */
function scene(seed: number, speed = 0): Scene {
  return (x, y, frame) => {
    const u = x + speed * frame
    const value =
      Math.sin((u * (seed % 7) + y * 3) / 9 + seed) +
      Math.sin((u * 5 - y * (seed % 5)) / 7 + seed * 2) +
      Math.sin((u + y * (1 + (seed % 3))) / (3 + (seed % 4)) + seed * 3)
    return 128 + 34 * value
  }
}

const black: Scene = () => 16

/** Frames without small texture, as most are at this size. */
function soft(seed: number, x: number, y: number): number {
  const across = Math.sin(x / (8 + (seed % 3)) + seed * 1.7)
  const down = Math.cos(y / (6 + (seed % 4)) + seed)
  return 120 + 45 * across + 40 * down + 25 * Math.sin((x + y) / 5 + seed * 2.3)
}

function detect(frames: number, light: Scene, framesPerSecond = 25) {
  const detector = createShotDetector(framesPerSecond)
  for (let frame = 0; frame < frames; frame++) {
    const yuv = new Uint8Array(smallBytes).fill(128)
    for (let y = 0; y < smallHeight; y++) {
      for (let x = 0; x < smallWidth; x++) {
        yuv[y * smallWidth + x] = Math.max(16, Math.min(235, light(x, y, frame)))
      }
    }
    detector.push(yuv)
  }
  const detection = detector.finish()
  const sure = detection.changes.filter((change) => change.score >= 0.5)
  return { detection, sure }
}

type Changes = ReturnType<typeof detect>['sure']

/** The changes are cuts, each on its frame. */
function assertCuts(sure: Changes, frames: readonly number[]): void {
  const expected = frames.map((frame) => ['cut', frame, frame])
  const actual = sure.map(({ type, start, end }) => [type, start, end])
  assert.deepEqual(actual, expected)
}

function between(frame: number, start: number, end: number): number {
  return Math.max(0, Math.min(1, (frame - start) / (end - start)))
}

test('a hard cut is found on its frame, in long films too', () => {
  // Beyond the 512 frames that are kept.
  const cuts = [300, 601, 660]
  const { sure } = detect(700, (x, y, frame) => {
    const shot = cuts.filter((cut) => frame >= cut).length
    return scene(shot * 4 + 1, 0.2)(x, y, frame)
  })
  assertCuts(sure, cuts)
})

test('a dissolve is one range that covers the blend', () => {
  const { sure } = detect(160, (x, y, frame) => {
    const mix = between(frame, 70, 90)
    return (1 - mix) * scene(1)(x, y, frame) + mix * scene(6)(x, y, frame)
  })
  assert.equal(sure.length, 1)
  assert.equal(sure[0]?.type, 'dissolve')
  assert.ok(sure[0].start <= 78 && sure[0].end >= 82)
})

test('the edges of a dissolve are right to three frames, in noise and motion', () => {
  const random = seeded(1)
  for (const length of isWholeRun ? [14, 25, 40] : [25]) {
    const { sure } = detect(240, (x, y, frame) => {
      // Frame 100 is the first blended one, frame 100 + length the first clean one.
      const mix = between(frame, 99, 100 + length)
      const light = (1 - mix) * scene(3, 0.05)(x, y, frame) + mix * scene(12, 0.05)(x, y, frame)
      return light + (random() - 0.5) * 8
    })
    const [first, ...more] = sure
    assert.equal(more.length, 0)
    assert.equal(first?.type, 'dissolve')
    const far = Math.max(Math.abs(first.start - 100), Math.abs(first.end - 100 - length))
    assert.ok(far <= 3, `${length} frames were found as ${first.start}–${first.end}`)
  }
})

test('a fade through black is one range with exact edges, and its hold is black', () => {
  const { sure, detection } = detect(200, (x, y, frame) => {
    const mix = frame < 100 ? 1 - between(frame, 60, 85) : between(frame, 110, 135)
    const shot = frame < 100 ? scene(2) : scene(9)
    return mix * shot(x, y, frame) + (1 - mix) * black(x, y, frame)
  })
  assert.deepEqual(
    sure.map(({ type }) => type),
    ['fade'],
  )
  assert.ok(Math.abs((sure[0]?.start ?? 0) - 60) <= 3 && Math.abs((sure[0]?.end ?? 0) - 135) <= 3)
  const { black: dark, shots } = classifyShots(detection, 25)
  assert.equal(dark.length, 1)
  assert.equal(shots.length, 2)
  assert.equal(shots[1]?.transition, 'fade')
})

test('a wipe is found as a wipe', () => {
  const { sure } = detect(160, (x, y, frame) =>
    x < between(frame, 70, 94) * smallWidth ? scene(6)(x, y, frame) : scene(1)(x, y, frame),
  )
  assert.deepEqual(
    sure.map(({ type }) => type),
    ['wipe'],
  )
})

test('a push is one wipe with exact edges, whichever way it goes', () => {
  for (const [across, down] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    const { sure } = detect(120, (x, y, frame) => {
      const moved = between(frame, 50, 66)
      const [fromX, fromY] = [x + across * moved * smallWidth, y + down * moved * smallHeight]
      const isOld = fromX >= 0 && fromX < smallWidth && fromY >= 0 && fromY < smallHeight
      if (isOld) return soft(1, fromX, fromY)
      return 0.6 * soft(12, fromX - across * smallWidth, fromY - down * smallHeight)
    })
    assert.deepEqual(
      sure.map(({ type, start, end }) => [type, start, end]),
      [['wipe', 51, 67]],
    )
  }
})

test('a camera that whips round is no push', () => {
  for (const seed of [3, 6]) {
    const { sure } = detect(120, (x, y, frame) => {
      // The shutter is open all the time: each frame is the mean of what passes.
      let light = 0
      for (let moment = 0; moment < 6; moment++) {
        const part = between(frame + moment / 6, 50, 62)
        light += soft(seed, x + 70 * (part - Math.sin(2 * Math.PI * part) / (2 * Math.PI)), y)
      }
      return light / 6
    })
    assert.deepEqual(sure, [])
  }
})

test('a camera that goes from room to room changes nothing', () => {
  for (const seed of [10, 12]) {
    for (const frames of [30, 40]) {
      const { sure } = detect(140, (x, y, frame) => {
        const along = x + 50 * between(frame, 50, 50 + frames)
        const room = Math.floor(along / (20 + seed))
        const light = soft(seed + room * 5, along, y)
        return room % 2 === 1 ? 0.35 * light + 20 * (seed % 3) : light
      })
      assert.deepEqual(sure, [], `${seed} in ${frames} frames`)
    }
  }
})

test('a picture that comes up in a corner is no cut', () => {
  const { sure } = detect(140, (x, y, frame) => {
    const isInset = frame >= 50 && frame < 100 && x >= 40 && x < 61 && y >= 3 && y < 15
    if (isInset) return scene(11, 0.1)(x * 2, y * 2, frame)
    return 74 + 0.2 * scene(3)(x, y, frame)
  })
  assert.deepEqual(sure, [])
})

test('white that holds between two shots of like colours is two cuts', () => {
  const { sure, detection } = detect(120, (x, y, frame) => {
    if (frame >= 60 && frame < 65) return 230
    return frame < 60 ? scene(3)(x, y, 0) : scene(3)(smallWidth - x, smallHeight - y, 0)
  })
  assertCuts(sure, [60, 65])
  assert.deepEqual(detection.flashes, [])
})

test('titles are cut to black and to the next', () => {
  const { sure } = detect(120, (x, y, frame) => {
    const isLine = x > 8 && x < 56 && y > 14 && y < 22
    const isInk = (x * 7 + y * 3 + (frame < 55 ? 5 : 10)) % 5 < 3
    return (frame < 50 || frame >= 60) && isLine && isInk ? 220 : 16
  })
  assertCuts(sure, [50, 60])
})

test('flashes are told apart from cuts', () => {
  const { sure, detection } = detect(200, (x, y, frame) => {
    const light = scene(3, 0.3)(x, y, frame)
    if (frame === 60 || frame === 61) return 230
    return frame === 62 ? (light + 230) / 2 : light
  })
  assert.deepEqual(sure, [])
  assert.equal(detection.flashes[0]?.start, 60)
})

test('muzzle flashes that light a part of the picture are no cuts', () => {
  const { sure } = detect(160, (x, y, frame) => {
    const light = frame % 12 > 9 ? 220 * Math.exp(-((x - 40) ** 2 + 3 * (y - 18) ** 2) / 300) : 0
    return scene(3, 0.1)(x, y, frame) * 0.7 + light
  })
  assert.deepEqual(sure, [])
})

test('fast motion whose frames are shown twice is no row of cuts', () => {
  const { sure } = detect(200, (x, y, frame) => {
    const shown = frame >> 1
    return frame < 100 ? scene(4, 1.5)(x, y, shown) : scene(9, 1.5)(x, y, shown)
  })
  assertCuts(sure, [100])
})

test('a light that bursts and dies away slowly is no cut', () => {
  const { sure } = detect(160, (x, y, frame) => {
    const glow = frame < 60 ? 0 : 0.75 * 0.93 ** (frame - 60)
    return (1 - glow) * scene(3, 0.1)(x, y, frame) + glow * 235
  })
  assert.ok(sure.every(({ type }) => type !== 'cut'))
})

/** Somebody who nods a little before a plain wall, seen from nearer or farther. */
function person(x: number, y: number, frame: number, from: number, scale: number): number {
  const [u, v] = [(x - from) / scale, (y - 20 - 0.4 * Math.sin(frame / 3)) / scale]
  const isInside = u ** 2 / 90 + v ** 2 / 160 < 1
  return isInside ? 95 + 40 * Math.sin(u * 1.1) + 30 * Math.cos(v * 0.9) : 150
}

test('a jump within one set-up and a step closer on a plain ground are cuts', () => {
  for (const [from, scale] of [
    [33, 1],
    [26, 1.4],
  ] as const) {
    const { sure } = detect(120, (x, y, frame) =>
      frame < 60 ? person(x, y, frame, 26, 1) : person(x, y, frame, from, scale),
    )
    assertCuts(sure, [60])
  }
})

test('an animation whose light flickers is no row of cuts', () => {
  const random = seeded(7)
  const gains = Array.from({ length: 60 }, () => 0.25 + 0.8 * random())
  const { sure } = detect(160, (x, y, frame) => {
    return 16 + (scene(6, 0.2)(x, y, frame) - 16) * gains[Math.floor(frame / 3)]!
  })
  assert.ok(sure.every(({ type }) => type !== 'cut'))
})

test('shots of two frames are told apart', () => {
  const cuts = [40, 42, 45, 47, 90]
  const { sure } = detect(130, (x, y, frame) => {
    const shot = cuts.filter((cut) => frame >= cut).length
    return scene(shot * 3 + 1, 0.1)(x, y, frame)
  })
  assertCuts(sure, cuts)
})

test('a cut between the two fields of a frame is one cut', () => {
  const { sure } = detect(120, (x, y, frame) => {
    const [old, next] = [scene(2, 0.1)(x, y, frame), scene(8, 0.1)(x, y, frame)]
    if (frame === 60) return (old + next) / 2
    return frame < 60 ? old : next
  })
  assert.equal(sure.length, 1)
  assert.equal(sure[0]?.type, 'cut')
  assert.ok(sure[0].start === 60 || sure[0].start === 61)
})

test('jumps of a film that was brought to another rate are found behind their mixed frames', () => {
  const jumps = [40, 83, 121, 163, 202]
  const at24 = (x: number, y: number, frame: number): number => {
    const shot = jumps.filter((jump) => frame >= jump).length
    return person(x, y, frame, shot % 2 === 0 ? 26 : 33, 1)
  }
  const { sure } = detect(290, at30(at24), 30)
  const shown = jumps.map((jump) => Math.ceil((jump * 30) / 24))
  assertCuts(sure, shown)
})

/** Film of 24 frames a second as a converter shows it at 30. */
function at30(light: Scene): Scene {
  return (x, y, frame) => {
    const place = (frame * 24) / 30
    const part = place % 1
    return (1 - part) * light(x, y, Math.floor(place)) + part * light(x, y, Math.ceil(place))
  }
}

test('mixed frames count only where most cuts have one, and several', () => {
  const blend = (x: number, y: number, frame: number, jumps: number[]): number => {
    const shot = (at: number): number => jumps.filter((jump) => at >= jump).length % 2
    const show = (shot: number): number => person(x, y, frame, shot === 0 ? 26 : 33, 1)
    return jumps.includes(frame + 1)
      ? (show(shot(frame)) + show(shot(frame + 1))) / 2
      : show(shot(frame))
  }
  assert.deepEqual(detect(160, (x, y, frame) => blend(x, y, frame, [80])).sure, [], 'one alone')
  const cuts = [200, 240, 280, 320]
  const { sure } = detect(360, (x, y, frame) => {
    const shot = cuts.filter((cut) => frame >= cut).length
    return shot === 0 ? blend(x, y, frame, [80, 140]) : scene(shot * 4 + 1, 0.1)(x, y, frame)
  })
  assert.deepEqual(
    sure.map(({ start }) => start),
    cuts,
  )
})

test('the end of a flash in film of another rate is no cut', () => {
  const cuts = [40, 83, 163, 202]
  const { sure, detection } = detect(
    290,
    at30((x, y, frame) => {
      if (frame >= 123 && frame < 129) return 232
      return scene(cuts.filter((cut) => frame >= cut).length * 4 + 1, 0.1)(x, y, frame)
    }),
    30,
  )
  assert.ok(detection.flashes.length > 0)
  const shown = cuts.map((cut) => Math.ceil((cut * 30) / 24))
  assertCuts(sure, shown)
})

test('a lamp that is switched on within a shot is no cut, though one frame is between', () => {
  const cuts = [50, 100, 200]
  const { sure } = detect(250, (x, y, frame) => {
    const shot = cuts.filter((cut) => frame >= cut).length
    const lamp = 150 * Math.exp(-((x - 20) ** 2 + (y - 12) ** 2) / 60) * between(frame, 149, 151)
    return scene(shot * 4 + 1, 0.02)(x, y, frame) * 0.5 + lamp
  })
  assertCuts(sure, cuts)
})

test('a lamp that is switched on and off in one take is no cut', () => {
  const { sure } = detect(250, (x, y, frame) => {
    const isOn = between(frame, 99, 101) - between(frame, 149, 151)
    const lamp = 150 * Math.exp(-((x - 20) ** 2 + (y - 12) ** 2) / 160) * isOn
    return scene(5, 0.02)(x, y, frame) * 0.5 + lamp
  })
  assert.ok(sure.every(({ type }) => type !== 'cut'))
})

test('a pan and a still picture are no changes, and are classified as what they are', () => {
  const pan = detect(200, scene(4, 0.5))
  assert.deepEqual(pan.sure, [])
  assert.notEqual(classifyShots(pan.detection, 25).shots[0]?.motion, 'still')
  const still = detect(100, scene(4))
  assert.deepEqual(still.sure, [])
  const { shots, freeze } = classifyShots(still.detection, 25)
  assert.equal(shots[0]?.motion, 'still')
  assert.equal(shots[0]?.frozen, true)
  assert.deepEqual(freeze, [{ start: 0, end: 100 }])
})

test('candidates keep what lies below the threshold', () => {
  const { detection } = detect(120, (x, y, frame) => {
    const near = scene(3)(x, y, frame)
    return frame < 60 ? near : 0.45 * near + 0.55 * scene(8)(x, y, frame)
  })
  assert.ok(detection.changes.every(({ score }) => score >= 0.1 && score <= 1))
  assert.ok(detection.changes.some(({ start }) => start === 60))
})

/** Two lines of large letters on a box that comes and goes twice a second. */
function caption(x: number, y: number, frame: number): number | null {
  const number = Math.floor(frame / 12)
  if (y < 24 || y >= 34 || x < 6 || x >= 58 || number % 2 === 1) return null
  const line = Math.floor((y - 24) / 5)
  return Math.sin((x >> 2) * 12.9898 + line * 78.233 + number * 37.719) > 0 ? 235 : 25
}

function speaker(x: number, y: number, frame: number, shot: number): number {
  const sway = 2 * Math.sin(frame / 4)
  const wall = soft(5 * shot + 1, x, y)
  const isSpeaker = Math.hypot(x - 30 - 4 * shot - sway, 1.3 * (y - 8)) < 8
  return isSpeaker ? wall / 2 + 40 + 50 * Math.sin((x - sway) / 2 + shot) * Math.cos(y / 2) : wall
}

function movingCamera(x: number, y: number, frame: number, shot: number): number {
  return scene(4 * shot + 1, 0.3)(x, y, frame)
}

for (const [name, shown] of Object.entries({ speaker, movingCamera })) {
  test(`captions that come and go over a shot are no cuts, and a cut is (${name})`, () => {
    const cutAt = 79
    const { sure } = detect(156, (x, y, frame) => {
      return caption(x, y, frame) ?? shown(x, y, frame, Number(frame >= cutAt))
    })
    assertCuts(sure, [cutAt])
  })
}

test('cuts in one half of a frame whose other half is grainy are found', () => {
  const random = seeded(1)
  const grain = (): number => (random() - 0.5) * 3
  const cuts = [12, 24, 36, 48, 60]
  const { sure } = detect(72, (x, y, frame) => {
    return y < 22 ? 90 + 0.6 * x + grain() : soft(3 + 5 * Math.floor(frame / 12), x, y)
  })
  assertCuts(sure, cuts)
})
